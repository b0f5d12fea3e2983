import { createServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Test } from 'tap';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { startTestApp, type TestApp } from '../helper.ts';
import { waitForRateWindow } from '../rate-window.ts';
import { REDIS_SKIP_REASON, startRedisServer } from '../redis-server.ts';
import { t } from '../tap.ts';

let tries = 0;
/** A failing login with a new address each time, so that no per-address limit applies. */
const wrong = () => ({ email: `nobody${tries++}@example.org`, password: 'not the password at all' });

function startInstance(t: Test, url: string): Promise<TestApp> {
  return startTestApp(t, { RATE_LIMIT_SCALE: '1', REDIS_URL: url });
}

async function waitUntil(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(20)) if (await condition()) return;
  throw new Error(`not within 60 s: ${what}`);
}

const isDegraded = async (app: TestApp) =>
  (await app.call('GET', '/api/health/ready')).body.degraded !== undefined;
const getLogLines = (app: TestApp) => app.serviceLog.filter((line) => line.startsWith('Redis '));

function pollContinuously(apps: readonly TestApp[], remoteAddress: string) {
  const statuses = new Map<number, number>();
  let slowest = 0;
  let going = true;
  const asking = Promise.all(
    apps.map(async (app) => {
      while (going) {
        const begun = performance.now();
        const { status } = await app.call('POST', '/api/auth/login', { body: wrong(), remoteAddress });
        slowest = Math.max(slowest, performance.now() - begun);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const page = await app.call('GET', '/', { remoteAddress: '203.0.113.200' });
        statuses.set(page.status, (statuses.get(page.status) ?? 0) + 1);
        await wait(20);
      }
    }),
  );
  return {
    statuses,
    async stop() {
      going = false;
      await asking;
      return { statuses: Object.fromEntries(statuses), slowest };
    },
  };
}

t.test(
  'two instances share a limit through Redis without storing addresses',
  { skip: REDIS_SKIP_REASON },
  async (t) => {
    const redis = await startRedisServer(t);
    await redis.start();
    const one = await startInstance(t, redis.url);
    const two = await startInstance(t, redis.url);
    await waitUntil('both connected', async () => !(await isDegraded(one)) && !(await isDegraded(two)));
    await waitForRateWindow(30);
    const remoteAddress = '203.0.113.77';
    const logIn = async (app: TestApp) =>
      (await app.call('POST', '/api/auth/login', { body: wrong(), remoteAddress })).status;
    const countAllowed = async (app: TestApp) => {
      for (let allowed = 0; ; allowed += 1) {
        await wait(1_500);
        if ((await logIn(app)) === 429) return allowed;
      }
    };
    for (let n = 0; n < 9; n++) t.equal(await logIn(one), 401);
    for (let n = 0; n < 9; n++) t.equal(await logIn(two), 401);
    // Without the other instance each would allow eleven more.
    t.ok((await countAllowed(two)) < 6, 'the second knows of those at the first');
    t.ok((await countAllowed(one)) < 6, 'and the first of those at the second');
    const client = redis.client();
    const keys = await client.keys('*');
    t.ok(keys.some((key) => key.startsWith('qr:rate:')));
    for (const key of keys) {
      t.match(key, /^qr:(?:rate:[\w-]{24}:\d{13}|probe:[0-9a-f]{12})$/, 'an HMAC and the end of a window');
      t.ok((await client.pttl(key)) > 0, 'every key ends by itself');
    }
    t.notMatch(keys.join(), '203.0.113');
    t.same(getLogLines(one), ['Redis is connected']);
  },
);

/** Send a burst to all instances, as fast as sockets deliver it, and count the answers that were not 429. */
async function countPassed(apps: readonly TestApp[], requests: number, remoteAddress: string) {
  const sent: Promise<{ status: number }>[] = [];
  while (sent.length < requests) {
    for (const app of apps) sent.push(app.call('GET', '/api/qrcodes', { remoteAddress }));
    await nextTurn();
  }
  const answers = await Promise.all(sent);
  const limited = answers.filter(({ status }) => status === 429).length;
  t.ok(answers.every(({ status }) => status === 429 || status === 401));
  return requests - limited;
}

t.test('a burst over two instances exceeds a limit by 10 % at most', async (t) => {
  const assertBounded = async (t: Test, apps: readonly TestApp[]) => {
    await waitForRateWindow(30);
    const passed = await countPassed(apps, 600, '203.0.113.90');
    t.comment(`${passed} of 600 passed a limit of 300`);
    t.ok(passed >= 300 && passed <= 330, `${passed} passed`);
    t.equal(await countPassed(apps, 20, '203.0.113.90'), 0, 'none of the next');
  };
  await t.test('with Redis', { skip: REDIS_SKIP_REASON }, async (t) => {
    const redis = await startRedisServer(t);
    await redis.start();
    const apps = [await startInstance(t, redis.url), await startInstance(t, redis.url)];
    for (const app of apps) await waitUntil('connected', async () => !(await isDegraded(app)));
    await assertBounded(t, apps);
  });
});

t.test(
  'keeps limits without failures while Redis is killed, and uses it again afterwards',
  { skip: REDIS_SKIP_REASON },
  async (t) => {
    const redis = await startRedisServer(t);
    await redis.start();
    const apps = [await startInstance(t, redis.url), await startInstance(t, redis.url)];
    for (const app of apps) await waitUntil('connected', async () => !(await isDegraded(app)));
    await waitForRateWindow(40);
    const asking = pollContinuously(apps, '203.0.113.78');
    await waitUntil('the limit is reached', () => (asking.statuses.get(429) ?? 0) > 3);
    await wait(2_000);
    const allowed = asking.statuses.get(401) ?? 0;
    await redis.signal('SIGKILL');
    for (const app of apps) await waitUntil('noticed', () => isDegraded(app));
    await wait(2_000);
    t.equal(asking.statuses.get(401), allowed, 'no more requests were allowed without Redis');
    for (const app of apps) t.equal((await app.call('GET', '/api/health/ready')).status, 200, 'still ready');
    await redis.start();
    for (const app of apps) await waitUntil('back', async () => !(await isDegraded(app)));
    const client = redis.client();
    await waitUntil('counts are in Redis again', async () => (await client.keys('qr:rate:*')).length > 0);
    const { statuses, slowest } = await asking.stop();
    t.same(Object.keys(statuses), ['200', '401', '429'], JSON.stringify(statuses));
    t.equal(statuses[401], allowed, 'the count went on over the kill and the return');
    for (const app of apps) {
      t.same(
        getLogLines(app),
        ['Redis is connected', UNAVAILABLE_LINE, 'Redis is available again'],
        'one line for each change',
      );
    }
    t.comment(`${JSON.stringify(statuses)}, slowest ${slowest.toFixed(0)} ms`);
  },
);

const UNAVAILABLE_LINE = 'Redis is unavailable: limits are shared through the database';

t.test('a Redis that hangs, is full or is another server neither delays nor fails requests', async (t) => {
  const assertLimitEnforced = async (t: Test, apps: readonly TestApp[], remoteAddress: string) => {
    await waitForRateWindow(20);
    const assertOne = async (app: TestApp) => {
      const asking = pollContinuously([app], remoteAddress);
      await waitUntil('the limit is reached', () => (asking.statuses.get(429) ?? 0) > 10);
      await waitUntil('noticed', () => isDegraded(app));
      const { statuses } = await asking.stop();
      t.same(Object.keys(statuses), ['200', '401', '429'], JSON.stringify(statuses));
      t.equal(statuses[401], 20);
      t.equal(getLogLines(app).at(-1), UNAVAILABLE_LINE);
    };
    await Promise.all(apps.map(assertOne));
  };

  await t.test('a Redis that hangs', { skip: REDIS_SKIP_REASON }, async (t) => {
    const redis = await startRedisServer(t);
    await redis.start();
    const app = await startInstance(t, redis.url);
    await waitUntil('connected', async () => !(await isDegraded(app)));
    await redis.signal('SIGSTOP');
    await assertLimitEnforced(t, [app], '203.0.113.81');
    t.same(getLogLines(app), ['Redis is connected', UNAVAILABLE_LINE]);
    await redis.signal('SIGCONT');
    await waitUntil('back', async () => !(await isDegraded(app)));
    t.same(getLogLines(app), ['Redis is connected', UNAVAILABLE_LINE, 'Redis is available again']);
  });

  await t.test('a Redis that is full', { skip: REDIS_SKIP_REASON }, async (t) => {
    const redis = await startRedisServer(t);
    await redis.start();
    const app = await startInstance(t, redis.url);
    await waitUntil('connected', async () => !(await isDegraded(app)));
    const client = redis.client();
    await client.config('SET', 'maxmemory', '1');
    await assertLimitEnforced(t, [app], '203.0.113.82');
    t.same(getLogLines(app), ['Redis is connected', UNAVAILABLE_LINE]);
    t.ok(app.serviceLog.includes('reason: OOM'));
    await client.config('SET', 'maxmemory', '0');
    await waitUntil('back', async () => !(await isDegraded(app)));
  });

  await t.test('a server that speaks HTTP, accepts everything, is silent or hangs up', async (t) => {
    const apps: TestApp[] = [];
    for (const response of ['HTTP/1.1 400 Bad Request\r\n\r\n', '+OK\r\n'.repeat(50), '', null]) {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        if (response === null) socket.destroy();
        else socket.on('data', () => socket.write(response));
      });
      const port = await findFreePort();
      await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
      t.teardown(() => new Promise((done) => server.close(done)));
      apps.push(await startInstance(t, `redis://127.0.0.1:${port}`));
    }
    await assertLimitEnforced(t, apps, '203.0.113.83');
  });
});

t.test('starts without Redis and logs that, without its password', async (t) => {
  const app = await startTestApp(t, { REDIS_URL: `redis://:hunter2@127.0.0.1:${await findFreePort()}` });
  t.match((await app.call('GET', '/api/health/ready')).body, { status: 'ready', degraded: ['redis'] });
  await waitUntil('logged', () => getLogLines(app).length > 0);
  t.same(getLogLines(app), [UNAVAILABLE_LINE]);
  t.notMatch(app.serviceLog.join() + app.log.join(), 'hunter2');
});
