import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { cloneDatabase } from '../helper.ts';
import { startService } from '../process/service-process.ts';
import { createSelfSignedCertificate } from '../providers/push/certificate.ts';
import { createPreparedDataFolder, createScratchFolder, retryUntilSuccess } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const MAX_REQUESTS_UNTIL_LIMITED = 200;
const CLIENTS = 4;

type StartProxy = (folder: string, port: number, ports: [number, number]) => Promise<ChildProcess>;

/** With the Caddyfile of Compose. */
const startCaddy: StartProxy = async (folder, port, ports) => {
  const example = await readFile('deploy/caddy/Caddyfile', 'utf8');
  const config = example
    .replace(
      '{\n',
      `{\nhttp_port ${await findFreePort()}\nhttps_port ${port}\nskip_install_trust\ndefault_bind 127.0.0.1\n`,
    )
    .replace('app-1:3000 app-2:3000', ports.map((upstream) => `127.0.0.1:${upstream}`).join(' '))
    .replace('{$DOMAIN} {\n', '{$DOMAIN} {\nheader Id-Of-Caddy {http.request.uuid}\n');
  await writeFile(join(folder, 'Caddyfile'), config);
  return spawn('caddy', ['run', '--config', join(folder, 'Caddyfile')], {
    env: { PATH: process.env.PATH, HOME: folder, DOMAIN: 'localhost' },
  });
};

const startHaproxy: StartProxy = async (folder, port, ports) => {
  const example = await readFile('deploy/haproxy/haproxy.cfg', 'utf8');
  const { cert, key } = createSelfSignedCertificate('localhost');
  await writeFile(join(folder, 'qr.pem'), cert + key);
  const config = example
    .replace(':443 ssl crt /etc/haproxy/qr.pem', `127.0.0.1:${port} ssl crt ${join(folder, 'qr.pem')}`)
    .replace('app-1:3000', `127.0.0.1:${ports[0]}`)
    .replace('app-2:3000', `127.0.0.1:${ports[1]}`);
  await writeFile(join(folder, 'haproxy.cfg'), config);
  return spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]);
};

/** Start a proxy in front of these ports of this host. */
async function startProxy(t: Test, start: StartProxy, ports: [number, number]) {
  const port = await findFreePort();
  const proxy = await start(await createScratchFolder(t), port, ports);
  let log = '';
  for (const output of [proxy.stdout, proxy.stderr])
    output?.on('data', (chunk) => {
      log += chunk;
    });
  const ended = new Promise((end) => proxy.once('exit', end));
  t.teardown(async () => {
    proxy.kill('SIGKILL');
    await ended;
  });
  const get = (path: string, headers: Record<string, string> = {}, localAddress = '127.0.0.1') =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port,
        path,
        localAddress,
        servername: 'localhost',
        agent: false,
        timeout: 30_000,
      };
      // The authority of the certificate is one that Caddy made just now.
      const sent = request({
        ...options,
        rejectUnauthorized: false,
        headers: { host: `localhost:${port}`, ...headers },
      });
      sent.on('timeout', () => sent.destroy(new Error('timeout')));
      sent.on('error', reject);
      sent.on('response', async (response) => {
        const { statusCode = 0, headers } = response;
        text(response).then((body) => resolve({ status: statusCode, headers, body }), reject);
      });
      sent.end();
    });
  return { get, log: () => log };
}

const PROXIES = [
  { name: 'Caddy', program: 'caddy', version: 'version', start: startCaddy },
  { name: 'HAProxy', program: 'haproxy', version: '-v', start: startHaproxy },
];

for (const { name, program, version, start } of PROXIES) {
  const skip = spawnSync(program, [version]).error ? `NOT RUN: ${program} is not installed` : false;
  t.test(`${name} in front of two instances`, { skip, timeout: 300_000 }, (t) => testProxy(t, start));
}

async function testProxy(t: Test, start: StartProxy): Promise<void> {
  const { application, owner, drop } = await cloneDatabase(t);
  const dataDir = await createPreparedDataFolder(t);
  const ports: [number, number] = [await findFreePort(), await findFreePort()];
  const secret = () => randomBytes(32).toString('base64');
  const secrets = {
    JWT_SECRET: secret(),
    HASH_SECRET: secret(),
    AUDIT_SIGNING_KEY: secret(),
    PASSWORD_PEPPERS: `p1:${secret()}`,
    ENCRYPTION_KEYS: `k1:${secret()}`,
  };
  const startInstance = (port: number) =>
    startService(t, {
      dataDir,
      port,
      environment: {
        ...secrets,
        NODE_ENV: 'production',
        BCRYPT_COST: '10',
        DATABASE_URL: application,
        DATABASE_OWNER_URL: owner,
        PUBLIC_BASE_URL: 'https://localhost',
        SMTP_URL: 'none',
        BILLING: 'off',
        RATE_LIMIT_SCALE: '1',
        TRUST_PROXY: '127.0.0.1',
        SHUTDOWN_DELAY_SECONDS: '5',
      },
    });
  const first = startInstance(ports[0]);
  await first.ready();
  let second = startInstance(ports[1]);
  await second.ready();
  const proxy = await startProxy(t, start, ports);
  await retryUntilSuccess(() => proxy.get('/api/health/live'), 30_000);

  /** Request all the time while `work` runs; returns the statuses. */
  const requestDuring = async (work: () => Promise<unknown>) => {
    let isOver = false;
    const statuses: Record<number, number> = {};
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        const { status } = await proxy.get('/api/health/live');
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    });
    await work().finally(() => {
      isOver = true;
    });
    await Promise.all(clients);
    return statuses;
  };
  const findInstances = async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => proxy.get('/api/absent')));
    const ids = answers.map(({ headers }) => String(headers['x-request-id']));
    return [first, second].map((service) => ids.filter((id) => service.output().includes(id)).length > 0);
  };

  await t.test('both get requests', async (t) => {
    await retryUntilSuccess(async () => {
      if ((await findInstances()).includes(false)) throw new Error('one got none');
    });
    t.match(await proxy.get('/api/health/ready'), {
      status: 200,
      headers: { 'strict-transport-security': /./ },
    });
    t.notMatch((await proxy.get('/api/health/ready')).body, 'TRUST_PROXY');
  });

  await t.test('the request id is of the proxy, not of the client', async (t) => {
    const { headers } = await proxy.get('/api/health/live', { 'x-request-id': 'chosen-by-the-client' });
    t.match(headers['x-request-id'], /^[0-9a-f-]{36}$/);
    if (start === startCaddy) t.equal(headers['x-request-id'], headers['id-of-caddy']);
  });

  await t.test('rate limits are of the address of the client, which it cannot choose', async (t) => {
    let status = 0;
    for (let number = 0; status !== 429 && number < MAX_REQUESTS_UNTIL_LIMITED; number += 1)
      ({ status } = await proxy.get(
        '/api/absent',
        { 'x-forwarded-for': `203.0.113.${number}` },
        '127.0.0.5',
      ));
    t.equal(status, 429);
    t.equal((await proxy.get('/api/absent', {}, '127.0.0.6')).status, 404, 'another client');
  });

  await t.test('no request fails while an instance stops', async (t) => {
    const statuses = await requestDuring(() => second.end('SIGTERM'));
    t.same(Object.keys(statuses), ['200'], JSON.stringify(statuses));
  });

  await t.test('it gets requests again when it is back', async () => {
    second = startInstance(ports[1]);
    await second.ready();
    await retryUntilSuccess(async () => {
      if ((await findInstances()).includes(false)) throw new Error('one got none');
    });
  });

  await t.test('no GET fails while an instance is killed', async (t) => {
    const statuses = await requestDuring(async () => {
      await first.end('SIGKILL');
      for (let number = 0; number < 50; number += 1) await proxy.get('/api/health/live');
    });
    t.same(Object.keys(statuses), ['200'], JSON.stringify(statuses));
  });

  await t.test(
    'without an instance the answer is an error, and the log has nothing of the request',
    async (t) => {
      await second.end('SIGKILL');
      const code = 'secret-of-the-link';
      const { status } = await proxy.get(`/s/${code}`, {}, '127.0.0.7');
      t.ok([502, 503].includes(status), String(status));
      t.match(proxy.log(), start === startCaddy ? /health_checker/ : /Server service\/app-2 is DOWN/);
      t.notMatch(proxy.log(), code);
      t.notMatch(proxy.log(), '127.0.0.7');
    },
  );
  await drop();
}
