// Own process: its connections to the database pass a proxy.
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../../src/platform/database.ts';
import { beginPgTransaction } from '../../src/platform/driver-transaction.ts';
import { openPgNotificationListener } from '../../src/platform/realtime/notification-listener.ts';
import { cloneDatabase, startTestApp } from '../helper.ts';
import { startStallingProxy } from '../stalling-proxy.ts';
import { t } from '../tap.ts';

const applicationUrl = new URL(process.env.TEST_APPLICATION_URL ?? '');
const target = { host: applicationUrl.hostname, port: Number(applicationUrl.port) };
const UNAVAILABLE = { message: /^(?:Connection terminated|timeout exceeded)/ };

async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await wait(20);
}

t.test(
  'a connection whose peer is gone is discarded, and those that wait beside it',
  { timeout: 60_000 },
  async (t) => {
    const proxy = await startStallingProxy(t, target);
    const url = await cloneDatabase(t);
    t.teardown(() => url.drop());
    const proxied = new URL(url.application);
    proxied.port = String(proxy.port);
    const database = openDatabase({
      url: proxied.href,
      poolSize: 4,
      answerTimeoutMs: 300,
      onError: () => {},
    });
    t.teardown(() => database.close());
    const { pool } = database;
    await Promise.all([1, 2, 3, 4].map(() => pool.query('SELECT pg_sleep(0.1)')));
    const open = await beginPgTransaction(database, 'WRITE');
    t.equal(pool.totalCount, 4);
    proxy.stall();

    await t.rejects(pool.query('SELECT 1'), UNAVAILABLE, 'a statement of the driver');
    await waitUntil(() => pool.idleCount === 0);
    t.equal(pool.totalCount, 1, 'only the transaction keeps its connection');
    await t.rejects(open.connection.query('SELECT 1'), UNAVAILABLE, 'a statement of a transaction');
    await open.end('ROLLBACK');
    t.equal(pool.totalCount, 0);

    proxy.resume();
    await database.transaction((tx) => tx.$queryRaw`SELECT 1`);
    const stalled = database.transaction(async (tx) => {
      proxy.stall();
      await tx.$queryRaw`SELECT 1`;
    });
    await t.rejects(stalled, 'a transaction of Prisma');
    await waitUntil(() => pool.totalCount === 0);
    proxy.resume();
    t.match(await pool.query('SELECT 1 AS one'), { rows: [{ one: 1 }] }, 'a new connection is used at once');
  },
);

t.test('a listener whose peer is gone connects again', { timeout: 60_000 }, async (t) => {
  const proxy = await startStallingProxy(t, target);
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  const proxied = new URL(url.application);
  proxied.port = String(proxy.port);
  const events: string[] = [];
  const listener = openPgNotificationListener({
    url: proxied.href,
    heartbeatIntervalMs: 50,
    onPayload: () => {},
    onConnected: () => void events.push('connected'),
    log: { warn: () => void events.push('lost') },
  });
  t.teardown(() => listener.close());
  await waitUntil(() => events.length === 1);
  proxy.stall();
  await waitUntil(() => events.includes('lost'));
  proxy.resume();
  await waitUntil(() => events.filter((event) => event === 'connected').length === 2);
  t.equal(events[0], 'connected');
});

t.test(
  'scans during an outage without a word end, and the next ones are stored',
  { timeout: 60_000 },
  async (t) => {
    const proxy = await startStallingProxy(t, target);
    const proxied = new URL(applicationUrl);
    proxied.port = String(proxy.port);
    process.env.TEST_APPLICATION_URL = proxied.href;
    t.teardown(() => {
      process.env.TEST_APPLICATION_URL = applicationUrl.href;
    });
    const { call, createUser } = await startTestApp(t, {}, {}, {});
    const owner = await createUser();
    const created = await call('POST', '/api/qrcodes', {
      token: owner.accessToken,
      body: { kind: 'PET', title: 'Rex', data: { name: 'Rex', species: 'Dog' } },
    });
    t.equal(created.status, 201, created.text);
    const scan = () => call('POST', '/api/scans/public', { body: { qrCodeId: created.body.id } });
    t.equal((await scan()).status, 201);

    proxy.stall();
    const ended: string[] = [];
    const scans = [1, 2, 3, 4, 5].map(async () => {
      const { status, headers } = await scan();
      ended.push('scan');
      return [status, headers['retry-after']];
    });
    const ready = call('GET', '/api/health/ready').finally(() => ended.push('ready'));
    t.equal((await ready).status, 503);
    t.same(ended, ['ready'], 'readiness answers before a statement is given up');
    for (const answer of await Promise.all(scans)) t.same(answer, [503, '1']);

    proxy.resume();
    t.equal((await scan()).status, 201, 'the shared commit goes on');
    t.equal((await call('GET', '/api/health/ready')).status, 200);
  },
);
