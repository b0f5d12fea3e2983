import { execFile, spawnSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@qr-profile-service/embedded-postgres';
import type { Test } from 'tap';
import { getPostgresUser } from '../../packages/embedded-postgres/src/system-user.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { connectDatabaseClient } from '../../src/platform/database-client.ts';
import { mapDatabaseError } from '../../src/platform/http/database-errors.ts';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { startService } from '../process/service-process.ts';
import { createScratchFolder, SILENT_LOG } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const SKIP_REASON = spawnSync('openssl', ['version']).status === 0 ? false : 'there is no program openssl';

const run = promisify(execFile);

const KEY_FLAGS = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Create an authority and certificates that it signed, each for one host. */
async function createCertificates(folder: string, hosts: Record<string, string>): Promise<void> {
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  for (const name of ['ca', 'other-ca'])
    await openssl(
      ...`req -x509 -days 2 -subj /CN=${name} -keyout ${name}.key -out ${name}.pem`.split(' '),
      ...KEY_FLAGS,
    );
  for (const [name, host] of Object.entries(hosts)) {
    await writeFile(join(folder, `${name}.ext`), `subjectAltName=DNS:${host}`);
    await openssl(...`req -subj /CN=${host} -keyout ${name}.key -out ${name}.csr`.split(' '), ...KEY_FLAGS);
    const signer = '-CA ca.pem -CAkey ca.key -CAcreateserial -days 2';
    await openssl(...`x509 -req -in ${name}.csr ${signer} -extfile ${name}.ext -out ${name}.pem`.split(' '));
  }
}

/** Start a server that accepts only TLS; `restart` gives it another certificate or none. */
async function startTlsServer(t: Test) {
  const dataDir = await createScratchFolder(t);
  const folder = join(dataDir, 'tls');
  await mkdir(folder);
  await createCertificates(folder, { right: 'localhost', wrong: 'db.example.org' });
  const user = await getPostgresUser(join(dataDir, 'postgres'));
  const start = async (settings: Record<string, string>) => {
    const server = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG, settings });
    t.teardown(server.stop);
    return server;
  };
  let server = await start({});
  const rulesFile = join(dataDir, 'postgres', 'pg_hba.conf');
  const rules = await readFile(rulesFile, 'utf8');
  const restart = async (certificate: 'right' | 'wrong' | null) => {
    await server.stop();
    if (!certificate) {
      await writeFile(rulesFile, rules);
      server = await start({});
      return server;
    }
    await writeFile(rulesFile, rules.replaceAll(/^host\b/gm, 'hostssl'));
    for (const suffix of ['pem', 'key']) {
      const file = join(dataDir, 'postgres', `server.${suffix}`);
      await cp(join(folder, `${certificate}.${suffix}`), file);
      if (user) await chown(file, user.uid, user.gid);
      await chmod(file, 0o600);
    }
    server = await start({ ssl: 'on', ssl_cert_file: 'server.pem', ssl_key_file: 'server.key' });
    return server;
  };
  return { folder, restart };
}

function addParameters(url: string, parameters: Record<string, string>): string {
  const changed = Object.assign(new URL(url), { hostname: 'localhost' });
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value);
  return changed.href;
}

async function connect(url: string): Promise<'encrypted' | 'plain'> {
  const client = await connectDatabaseClient(url, { role: 'application', applicationName: 'test' });
  try {
    const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    return rows[0].ssl ? 'encrypted' : 'plain';
  } finally {
    await client.end();
  }
}

const VERIFYING_MODES = ['prefer', 'require', 'verify-ca', 'verify-full'];

t.test('connects to the database by TLS', { skip: SKIP_REASON }, async (t) => {
  const warnings: string[] = [];
  const noteWarning = ({ message }: Error) => warnings.push(message);
  process.on('warning', noteWarning);
  t.teardown(() => process.off('warning', noteWarning));
  const { folder, restart } = await startTlsServer(t);
  const [ca, otherCa] = [join(folder, 'ca.pem'), join(folder, 'other-ca.pem')];

  await t.test('every form that encrypts verifies authority and host', async (t) => {
    const { applicationUrl } = await restart('right');
    const withTls = (sslmode: string, sslrootcert?: string) =>
      addParameters(applicationUrl, { sslmode, ...(sslrootcert ? { sslrootcert } : {}) });
    for (const mode of VERIFYING_MODES) {
      t.equal(await connect(withTls(mode, ca)), 'encrypted', mode);
      await t.rejects(
        connect(withTls(mode, otherCa)),
        { code: /CERT|SIGNATURE|ISSUER/ },
        `${mode}, wrong CA`,
      );
      await t.rejects(connect(withTls(mode)), { code: /CERT|SIGNATURE|ISSUER/ }, `${mode}, no CA`);
      const weakened = addParameters(withTls(mode, otherCa), { uselibpqcompat: 'true' });
      await t.rejects(connect(weakened), { code: /CERT|SIGNATURE|ISSUER/ }, `${mode} as in libpq`);
    }
    t.equal(await connect(withTls('no-verify')), 'encrypted');
    await t.rejects(connect(withTls('disable')), { code: '28000' }, 'refused by the server');
  });

  await t.test('a certificate for another host is refused', async () => {
    const { applicationUrl } = await restart('wrong');
    for (const sslmode of VERIFYING_MODES) {
      const url = addParameters(applicationUrl, { sslmode, sslrootcert: ca });
      await t.rejects(connect(url), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, sslmode);
    }
    t.equal(await connect(addParameters(applicationUrl, { sslmode: 'no-verify' })), 'encrypted');
  });

  await t.test('requests get 503 while the certificate cannot be verified', async (t) => {
    const { applicationUrl } = await restart('wrong');
    const url = addParameters(applicationUrl, { sslmode: 'verify-full', sslrootcert: ca });
    const database = openDatabase({ url, poolSize: 2, onError: () => {} });
    t.teardown(() => database.close());
    for (const work of [
      () => database.pool.query('SELECT 1'),
      () => database.client.$queryRaw`SELECT 1`,
      () => database.client.user.count(),
      () => database.transaction((tx) => tx.user.count()),
    ]) {
      const error = await work().catch((reason: unknown) => reason);
      t.match(mapDatabaseError(error), { code: 'DATABASE_UNAVAILABLE', retryAfterSeconds: 1 });
    }
  });

  await t.test('a server without TLS is refused, never used in the clear', async (t) => {
    const { applicationUrl } = await restart(null);
    for (const sslmode of VERIFYING_MODES) {
      const error = await connect(addParameters(applicationUrl, { sslmode, sslrootcert: ca })).catch(
        (reason: unknown) => reason,
      );
      t.match(error, { message: 'The server does not support SSL connections' }, sslmode);
      t.match(mapDatabaseError(error), { code: 'DATABASE_UNAVAILABLE' }, sslmode);
    }
    t.equal(await connect(addParameters(applicationUrl, { sslmode: 'disable' })), 'plain');
  });

  await t.test('the whole service uses a server that accepts only TLS', async (t) => {
    const { ownerUrl, applicationUrl } = await restart('right');
    const tls = { sslmode: 'require', sslrootcert: ca };
    const service = startService(t, {
      dataDir: await createScratchFolder(t),
      port: await findFreePort(),
      environment: {
        DATABASE_URL: addParameters(applicationUrl, tls),
        DATABASE_OWNER_URL: addParameters(ownerUrl, tls),
      },
    });
    await service.ready();
    t.equal(await service.end('SIGTERM'), 0);
    t.notMatch(service.output(), 'SECURITY WARNING');
  });
  t.same(warnings, []);
});
