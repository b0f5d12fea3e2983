import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Test } from 'tap';
import WebSocket from 'ws';
import { openDatabase } from '../../src/platform/database.ts';
import { setRoleSessionDefaults } from '../../src/platform/prepare-database.ts';
import { querySql } from '../../src/platform/sql.ts';
import { listMailboxEntries } from '../../src/providers/mail/mailbox-reader.ts';
import { EXIT_CODES } from '../../src/shared/process-exit-codes.ts';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { formatErrorForTerminal } from '../../src/start/format-failure.ts';
import { getErrorExitCode } from '../../src/start/get-exit-code.ts';
import { diagnose, diagnoseOne } from '../commands/doctor/doctor-helper.ts';
import { cloneDatabase, PHONE_USER_AGENT } from '../helper.ts';
import { startService, startWorker } from '../process/service-process.ts';
import { createStockServers, REPLICATION_SKIP_REASON, stopServer } from '../replicated-servers.ts';
import { createScratchFolder, retryUntilSuccess, runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const SKIP_REASON =
  spawnSync('pgbouncer', ['--version']).status === 0 ? false : 'there is no program pgbouncer';

/** Start PgBouncer as `deploy/` configures it, with one server connection less than clients, and return the pooled URL. */
async function startPgBouncer(t: Test, url: string, serverConnections = 2): Promise<string> {
  const target = new URL(url);
  const port = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), 'qr-pooler-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const [users, settings] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')];
  await writeFile(users, `"${target.username}" "${decodeURIComponent(target.password)}"\n`);
  const example = await readFile('deploy/pgbouncer/pgbouncer.ini', 'utf8');
  const changed = example
    .replace(/^qr = .*$/m, `* = host=127.0.0.1 port=${target.port}`)
    .replace('listen_addr = *', 'listen_addr = 127.0.0.1')
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('/etc/pgbouncer/userlist.txt', users)
    .replace('default_pool_size = 40', `default_pool_size = ${serverConnections}`)
    // The PostgreSQL of the tests has no certificate.
    .replace(/^(?:server|client)_tls_.*$/gm, '');
  await writeFile(settings, changed);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['--user=nobody'] : [];
  const child: ChildProcess = spawn('pgbouncer', [...user, settings], { stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  return Object.assign(new URL(url), { port: String(port) }).href;
}

t.test('runs behind a pooler of transactions', { skip: SKIP_REASON }, async (t) => {
  const { application, drop } = await cloneDatabase(t);
  t.teardown(drop);
  await setRoleSessionDefaults(application);
  const url = await startPgBouncer(t, application);
  const database = openDatabase({
    url,
    directUrl: application,
    isPooled: true,
    poolSize: 6,
    connectionTimeoutMs: 10_000,
    onError: () => {},
  });
  t.teardown(() => database.close());
  for (let isUp = false; !isUp; await wait(50))
    isUp = await database.pool.query('SELECT 1').then(
      () => true,
      (error: Error) => {
        if (!/ECONNREFUSED/.test(error.message)) throw error;
        return false;
      },
    );
  const rounds = Array.from({ length: 6 }, async (_, index) => {
    for (let round = 0; round < 10; round++) {
      const [row] = await querySql<{ value: number; zone: string; jit: string }>(database.pool, {
        isPrepared: true,
      })`SELECT ${index}::int AS value, current_setting('TimeZone') AS zone, current_setting('jit') AS jit`;
      t.same(row, { value: index, zone: 'UTC', jit: 'off' });
      await database.transaction((tx) => tx.$queryRaw`SELECT ${index}::int, pg_sleep(0.01)::text`);
    }
  });
  await Promise.all(rounds);
});

t.test('accounts stay apart on one server connection', { skip: SKIP_REASON }, async (t) => {
  const { application, owner, drop } = await cloneDatabase(t);
  t.teardown(drop);
  await setRoleSessionDefaults(application);
  const accounts = ['aaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbb'];
  for (const id of accounts)
    await runQuery(
      owner,
      `INSERT INTO accounts (id, type, name, language) VALUES ('${id}', 'ORGANIZATION', 'one', 'en');
       INSERT INTO saved_views (account_id, id, name, query, position) VALUES ('${id}', '${id}', 'one', '{}', 1)`,
    );
  const url = await startPgBouncer(t, application, 1);
  const database = openDatabase({
    url,
    directUrl: application,
    isPooled: true,
    poolSize: 6,
    connectionTimeoutMs: 10_000,
    onError: () => {},
  });
  t.teardown(() => database.close());
  await retryUntilSuccess(() => database.pool.query('SELECT 1'));
  const count = 'SELECT count(*)::int AS count, min(account_id) AS id FROM saved_views';
  const rounds = Array.from({ length: 6 }, async (_, index) => {
    const id = accounts[index % 2] ?? '';
    for (let round = 0; round < 10; round += 1) {
      const bound = database.forAccount(id);
      t.same(await querySql(bound.pool, { isPrepared: true })({ text: count }), [{ count: 1, id }]);
      t.same(await querySql(bound.client)({ text: count }), [{ count: 1, id }]);
      t.same(await bound.transaction((tx) => querySql(tx)({ text: count })), [{ count: 1, id }]);
      t.same(await querySql(database.pool)({ text: count }), [{ count: 0, id: null }]);
      const everyAccount = database.forEveryAccount('COMMAND');
      t.equal(await everyAccount.client.savedView.count(), 2);
    }
  });
  await Promise.all(rounds);
});

t.test('a service and its worker run behind a pooler of transactions', { skip: SKIP_REASON }, async (t) => {
  const { application, owner, drop } = await cloneDatabase(t);
  t.teardown(drop);
  const environment = {
    DATABASE_URL: await startPgBouncer(t, application),
    DATABASE_POOLER: 'transaction',
    DATABASE_DIRECT_URL: application,
    DATABASE_OWNER_URL: owner,
    WORKER: 'separate',
  };
  const dataDir = await createScratchFolder(t);
  const service = startService(t, { dataDir, port: await findFreePort(), environment });
  await service.ready();
  t.match(await diagnose(environment, 'database', 'direct connection', 'database connections'), {
    database: { state: 'ok' },
    'direct connection': { state: 'ok' },
    'database connections': { state: 'ok', found: /1 × 1 for running processes$/ },
  });
  t.match(await diagnoseOne('database', { DATABASE_URL: environment.DATABASE_URL }), {
    state: 'problem',
    advice: /Set DATABASE_POOLER=transaction/,
  });
  const worker = startWorker(t, dataDir, environment);
  const post = async (path: string, body: object, token?: string) => {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': PHONE_USER_AGENT,
    };
    if (token) headers.authorization = `Bearer ${token}`;
    const response = await fetch(service.base + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) t.fail(`${path}: ${response.status}`);
    // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service sent
    return (await response.json()) as any;
  };
  const email = 'ada@example.org';
  await post('/api/auth/register', { email, password: 'a lighthouse for lost dogs' });
  const otp = await retryUntilSuccess(async () => {
    const [mail] = await listMailboxEntries(join(dataDir, 'mailbox'));
    if (!mail) throw new Error('The worker has sent no mail.');
    return mail.subject.slice(0, 6);
  }, 60_000);
  const { accessToken } = await post('/api/auth/verify-otp', { email, otp });
  const profile = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };
  await post('/api/auth/create-profile', profile, accessToken);
  const code = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const { id: qrCodeId } = await post('/api/qrcodes', code, accessToken);

  const socket = new WebSocket(`${service.base.replace('http', 'ws')}/api/realtime`, ['bearer', accessToken]);
  t.teardown(() => socket.terminate());
  const events: string[] = [];
  socket.on('message', (text) => events.push(JSON.parse(String(text)).event));
  const waitForEvent = (name: string) =>
    retryUntilSuccess(async () => {
      if (!events.includes(name)) throw new Error(`no event ${name}, only ${events}`);
    });
  await waitForEvent('ready');
  const scans = Array.from({ length: 40 }, () => post('/api/scans', { qrCodeId }, accessToken));
  const ids = (await Promise.all(scans)).map(({ scan }) => scan.id);
  t.equal(new Set(ids).size, 40);
  await post('/api/scans/public', { qrCodeId });
  await waitForEvent('notification.created');
  t.equal(await worker.end('SIGTERM'), 0);
  t.equal(await service.end('SIGTERM'), 0);
  for (const output of [service.output(), worker.output()]) t.notMatch(output, /"level":50/);
});

t.test('a start behind a pooler that is not declared says what to set', { skip: SKIP_REASON }, async (t) => {
  const { application, drop } = await cloneDatabase(t);
  t.teardown(drop);
  const database = openDatabase({
    url: await startPgBouncer(t, application),
    poolSize: 1,
    onError: () => {},
  });
  t.teardown(() => database.close());
  let failure: unknown;
  // It may not listen yet.
  for (let code: unknown = 'ECONNREFUSED'; code === 'ECONNREFUSED'; await wait(50)) {
    failure = await database.pool.query('SELECT 1').then(
      () => null,
      (error: Error) => error,
    );
    code = failure instanceof Error ? Reflect.get(failure, 'code') : null;
  }
  t.match(formatErrorForTerminal(failure), 'Set DATABASE_POOLER=transaction');
  t.equal(getErrorExitCode(failure), EXIT_CODES.CONFIGURATION);
});

t.test(
  'a server that goes away behind a pooler is temporary, although the error has the same code',
  { skip: SKIP_REASON || REPLICATION_SKIP_REASON },
  async (t) => {
    const servers = await createStockServers(t);
    const { url, child } = await servers.start(await servers.createCluster('primary'), []);
    const pooled = await startPgBouncer(t, url.replace('postgres@', 'postgres:password@'));
    await retryUntilSuccess(() => runQuery(pooled, 'SELECT 1'));
    await stopServer(child);
    const error = await retryUntilSuccess(async () => {
      const failure = await runQuery(pooled, 'SELECT 1').then(
        () => null,
        (error: Error) => error,
      );
      if (failure === null || Reflect.get(failure, 'code') !== '08P01')
        throw failure ?? new Error('It is up.');
      return failure;
    });
    t.equal(getErrorExitCode(error), EXIT_CODES.TEMPORARY);
    t.notMatch(formatErrorForTerminal(error), 'Set DATABASE_POOLER');
  },
);

t.test(
  'connections of a pooler from before the settings of the role are temporary',
  { skip: SKIP_REASON },
  async (t) => {
    const { application, drop } = await cloneDatabase(t);
    t.teardown(drop);
    const url = await startPgBouncer(t, application);
    await retryUntilSuccess(() => runQuery(url, 'SELECT 1'));
    await setRoleSessionDefaults(application);
    const database = openDatabase({
      url,
      directUrl: application,
      isPooled: true,
      poolSize: 1,
      onError: () => {},
    });
    t.teardown(() => database.close());
    const failure = await database.pool.query('SELECT 1').then(
      () => null,
      (error: Error) => error,
    );
    t.equal(getErrorExitCode(failure), EXIT_CODES.TEMPORARY);
    t.match(formatErrorForTerminal(failure), 'RECONNECT');
  },
);
