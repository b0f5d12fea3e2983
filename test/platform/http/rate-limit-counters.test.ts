import { mock } from 'node:test';
import { createSharedRateLimitCounters } from '../../../src/platform/http/rate-limit-counters.ts';
import {
  createPostgresRateLimitStore,
  createRedisRateLimitStore,
  type RateLimitStore,
  type SqlQueryRunner,
} from '../../../src/platform/http/rate-limit-stores.ts';
import type { RedisConnection } from '../../../src/platform/redis.ts';
import { t } from '../../tap.ts';

const WINDOW_MS = 60_000;

function createFakeTable() {
  const hits = new Map<string, number>();
  const table = { hits, statements: 0, isUnavailable: false };
  const query: SqlQueryRunner = async (_sql, params) => {
    table.statements++;
    if (table.isUnavailable) throw new Error('away');
    const [keys, counts, ends] = params as [string[], number[], number[]];
    const rows = keys.map((key, index) => {
      hits.set(key, (hits.get(key) ?? 0) + (counts[index] ?? 0));
      return { key, hits: hits.get(key), ends_at: String(ends[index]) };
    });
    return { rows };
  };
  return { table, query, stores: [createPostgresRateLimitStore(query)] };
}

/** Let time pass step by step; what is due in a step ends before the next. */
async function wait(ms: number): Promise<void> {
  for (let step = 0; step < ms; step += 1) {
    mock.timers.tick(1);
    await new Promise(setImmediate);
  }
}

mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.UTC(2026, 0, 1) });
t.teardown(() => mock.timers.reset());

t.test('counts hits of one process immediately, by key and window', async (t) => {
  const counters = createSharedRateLimitCounters({ secret: 's' });
  t.equal(counters.increment('a', WINDOW_MS).hits, 1);
  t.equal(counters.increment('a', WINDOW_MS).hits, 2);
  t.equal(counters.increment('b', WINDOW_MS).hits, 1);
  const { ttlMs } = counters.increment('a', WINDOW_MS);
  t.ok(ttlMs > 0 && ttlMs <= WINDOW_MS);
  const { ttlMs: short } = counters.increment('short', 50);
  await wait(short + 5);
  t.equal(counters.increment('short', 50).hits, 1, 'starts a new window at zero');
  await counters.close();
});

t.test('a client that goes on is not forgotten for many new ones', async (t) => {
  const counters = createSharedRateLimitCounters({ secret: 's' });
  let busy = counters.increment('busy', WINDOW_MS).hits;
  for (let n = 0; n < 60_000; n++) {
    counters.increment(`other ${n}`, WINDOW_MS);
    if (n % 10_000 === 0) busy = counters.increment('busy', WINDOW_MS).hits;
  }
  t.equal(busy, 7);
  t.equal(counters.increment('other 0', WINDOW_MS).hits, 1, 'unused keys are forgotten');
  await counters.close();
});

t.test('two instances share counts by one statement for many hits', async (t) => {
  const { table, stores } = createFakeTable();
  const one = createSharedRateLimitCounters({ secret: 's', stores, flushMs: 20 });
  const two = createSharedRateLimitCounters({ secret: 's', stores, flushMs: 20 });
  for (let n = 0; n < 100; n++) one.increment('a', WINDOW_MS);
  await wait(60);
  t.equal(table.statements, 1);
  two.increment('a', WINDOW_MS);
  await wait(60);
  t.equal(two.increment('a', WINDOW_MS).hits, 102);
  await wait(60);
  one.increment('a', WINDOW_MS);
  await wait(60);
  t.equal(one.increment('a', WINDOW_MS).hits, 104);
  await Promise.all([one.close(), two.close()]);
});

t.test('parallel bursts at two instances exceed a limit by 8 % at most', async (t) => {
  for (const { max, maxPassed } of [
    { max: 300, maxPassed: 324 },
    { max: 20, maxPassed: 20 },
  ]) {
    const { table, stores } = createFakeTable();
    const instances = [1, 2].map(() => createSharedRateLimitCounters({ secret: 's', stores, flushMs: 20 }));
    const usages = await Promise.all(
      Array.from({ length: 600 }, (_, index) => instances[index % 2]?.incrementWithin('a', WINDOW_MS, max)),
    );
    const passed = usages.filter((usage) => usage && usage.hits <= max).length;
    t.ok(passed >= max && passed <= maxPassed, `${passed} of ${max}`);
    t.ok(table.statements < 20, `${table.statements} statements`);
    // One after the other, at one instance and then at the other.
    const next = await Promise.all(instances.map((one) => one.incrementWithin('a', WINDOW_MS, max)));
    t.ok(next.every(({ hits }) => hits > max));
    await Promise.all(instances.map((one) => one.close()));
  }
});

t.test(
  'hits far below a limit wait for no store, and one that does not answer delays none for long',
  async (t) => {
    let calls = 0;
    const silent: RateLimitStore = {
      exchange: () => {
        calls++;
        return new Promise(() => {});
      },
    };
    const counters = createSharedRateLimitCounters({
      secret: 's',
      stores: [silent],
      flushMs: 60_000,
      maxWaitMs: 30,
    });
    const increment = () => counters.incrementWithin('a', WINDOW_MS, 300);
    for (let n = 1; n <= 12; n++) t.equal((await increment()).hits, n);
    t.equal(calls, 0);
    for (const hits of [13, 14]) {
      const delayed = increment();
      await wait(30);
      t.equal((await delayed).hits, hits, 'counted by what is known');
    }
    t.equal(calls, 1, 'one exchange at a time');
  },
);

t.test('hits do not wait while no store is available', async (t) => {
  const { table, stores } = createFakeTable();
  table.isUnavailable = true;
  const counters = createSharedRateLimitCounters({ secret: 's', stores, flushMs: 10, maxWaitMs: 60_000 });
  for (let n = 1; n <= 5; n++) t.equal((await counters.incrementWithin('a', WINDOW_MS, 20)).hits, n);
  t.ok(table.statements <= 2, `${table.statements} statements`);
  await counters.close();
});

t.test('stores keys as HMACs, so that no address is in the table', async (t) => {
  const { table, stores } = createFakeTable();
  const counters = createSharedRateLimitCounters({ secret: 's', stores, flushMs: 10 });
  counters.increment('auth 203.0.113.9', WINDOW_MS);
  await wait(40);
  t.equal(table.hits.size, 1);
  for (const key of table.hits.keys()) t.match(key, /^[\w-]{24}$/);
  await counters.close();
});

t.test('counts locally without the table and sends the counts later', async (t) => {
  const { table, stores } = createFakeTable();
  const changes: boolean[] = [];
  const onStandaloneChange = (isAlone: boolean) => changes.push(isAlone);
  const counters = createSharedRateLimitCounters({
    secret: 's',
    stores,
    flushMs: 10,
    retryMs: 20,
    onStandaloneChange,
  });
  table.isUnavailable = true;
  for (let n = 1; n <= 5; n++) {
    t.equal(counters.increment('a', WINDOW_MS).hits, n);
    await wait(15);
  }
  t.same(changes, [true], 'said once');
  table.isUnavailable = false;
  await wait(80);
  t.same([...table.hits.values()], [5]);
  t.same(changes, [true, false]);
  t.equal(counters.increment('a', WINDOW_MS).hits, 6);
  await counters.close();
});

t.test('neither loses nor doubles a hit during a statement', async (t) => {
  const { table, query } = createFakeTable();
  const slow: SqlQueryRunner = async (sql, params) => {
    const rows = await query(sql, params);
    await new Promise((resolve) => setTimeout(resolve, 60));
    return rows;
  };
  const counters = createSharedRateLimitCounters({
    secret: 's',
    stores: [createPostgresRateLimitStore(slow)],
    flushMs: 10,
  });
  for (let n = 1; n <= 30; n++) {
    t.equal(counters.increment('a', WINDOW_MS).hits, n);
    await wait(7);
  }
  await wait(200);
  t.same([...table.hits.values()], [30]);
  await counters.close();
});

function createFakeRedis() {
  const storedCounts = new Map<string, Map<string, number>>();
  const redis = { storedCounts, isUnavailable: false, answer: undefined as unknown };
  const run: RedisConnection['run'] = async ({ keys, args }, read) => {
    if (redis.isUnavailable) throw new Error('away');
    const totals = keys.map((key, index) => {
      const hits = storedCounts.get(key) ?? new Map<string, number>();
      storedCounts.set(key, hits.set(String(args[0]), Number(args[2 * index + 1])));
      return [...hits.values()].reduce((sum, one) => sum + one, 0);
    });
    return read(redis.answer ?? totals);
  };
  return { redis, store: () => createRedisRateLimitStore({ run }) };
}

t.test(
  'falls back to the table without Redis, and neither loses nor doubles hits when it returns',
  async (t) => {
    const { table, stores } = createFakeTable();
    const { redis, store } = createFakeRedis();
    const build = () =>
      createSharedRateLimitCounters({ secret: 's', stores: [store(), ...stores], flushMs: 10, retryMs: 20 });
    const [one, two] = [build(), build()];
    const hitBoth = async (times: number) => {
      for (let n = 0; n < times; n++) {
        one.increment('a', WINDOW_MS);
        two.increment('a', WINDOW_MS);
        await wait(5);
      }
      await wait(80);
    };
    await hitBoth(10);
    t.equal(table.statements, 0, 'the table is not asked while Redis answers');
    redis.isUnavailable = true;
    await hitBoth(10);
    t.same([...table.hits.values()], [40], 'the table has all hits of this window');
    redis.isUnavailable = false;
    redis.storedCounts.clear();
    await hitBoth(10);
    t.same(
      [...redis.storedCounts.values()].map((hits) => [...hits.values()]),
      [[30, 30]],
    );
    for (const counters of [one, two]) {
      counters.increment('a', WINDOW_MS);
      await wait(60);
    }
    t.equal(one.increment('a', WINDOW_MS).hits, 62, 'thirty-two here, and the thirty it has heard of');
    t.equal(two.increment('a', WINDOW_MS).hits, 63);
    await Promise.all([one.close(), two.close()]);
  },
);

t.test('invalid counts are ignored, and counts lost by a store are kept', async (t) => {
  const { redis, store } = createFakeRedis();
  const { table, stores } = createFakeTable();
  const all: RateLimitStore[] = [store(), ...stores];
  const counters = createSharedRateLimitCounters({ secret: 's', stores: all, flushMs: 5, retryMs: 5 });
  let hits = 0;
  for (const answer of ['OK', [], [null], ['12'], [-1], [1e300], [1, 2], { 0: 1 }, [0]]) {
    redis.answer = answer;
    const before = table.statements;
    t.equal(counters.increment('a', WINDOW_MS).hits, ++hits, JSON.stringify(answer));
    await wait(40);
    if (JSON.stringify(answer) !== '[0]') t.ok(table.statements > before, 'the table was asked');
  }
  await counters.close();
});

t.test('hits of other instances stay known when a store forgets them', async (t) => {
  let total = 40;
  const store: RateLimitStore = {
    exchange: async (counts) => new Map(counts.map(({ key }) => [key, total])),
  };
  const counters = createSharedRateLimitCounters({ secret: 's', stores: [store], flushMs: 5 });
  counters.increment('a', WINDOW_MS);
  await wait(40);
  t.equal(counters.increment('a', WINDOW_MS).hits, 41);
  total = 2;
  await wait(40);
  t.equal(counters.increment('a', WINDOW_MS).hits, 42);
  await counters.close();
});
