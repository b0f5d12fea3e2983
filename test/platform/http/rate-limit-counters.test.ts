import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { type Query, sharedCounters } from '../../../src/platform/http/rate-limit-counters.ts';

const WINDOW = 60_000;

/** Stands in for the table: adds what is sent and gives the totals, and can be away. */
function fakeTable() {
  const hits = new Map<string, number>();
  const table = { hits, statements: 0, away: false };
  const query: Query = async (_sql, params) => {
    table.statements++;
    if (table.away) throw new Error('away');
    const [keys, counts, ends] = params as [string[], number[], number[]];
    const rows = keys.map((key, index) => {
      hits.set(key, (hits.get(key) ?? 0) + (counts[index] ?? 0));
      return { key, hits: hits.get(key), ends_at: String(ends[index]) };
    });
    return { rows };
  };
  return { table, query };
}

/** Waits for the next window when this one is about to end, so that a test lies within one. */
async function earlyInWindow(): Promise<void> {
  const left = WINDOW - (Date.now() % WINDOW);
  if (left < 5_000) await wait(left + 10);
}

t.before(earlyInWindow);

t.test('hits of one process count at once, by key and window', async (t) => {
  const counters = sharedCounters({ secret: 's' });
  t.equal(counters.take('a', WINDOW).hits, 1);
  t.equal(counters.take('a', WINDOW).hits, 2);
  t.equal(counters.take('b', WINDOW).hits, 1);
  const { ttlMs } = counters.take('a', WINDOW);
  t.ok(ttlMs > 0 && ttlMs <= WINDOW);
  const { ttlMs: short } = counters.take('short', 50);
  await wait(short + 5);
  t.equal(counters.take('short', 50).hits, 1, 'a new window starts from nothing');
  await counters.close();
});

t.test('two instances learn of each other, by one statement for many hits', async (t) => {
  const { table, query } = fakeTable();
  const one = sharedCounters({ secret: 's', query, flushMs: 20 });
  const two = sharedCounters({ secret: 's', query, flushMs: 20 });
  for (let n = 0; n < 100; n++) one.take('a', WINDOW);
  await wait(60);
  t.equal(table.statements, 1);
  two.take('a', WINDOW);
  await wait(60);
  t.equal(two.take('a', WINDOW).hits, 102);
  await wait(60);
  one.take('a', WINDOW);
  await wait(60);
  t.equal(one.take('a', WINDOW).hits, 104);
  await Promise.all([one.close(), two.close()]);
});

t.test('keys are stored as HMACs, so that no address is in the table', async (t) => {
  const { table, query } = fakeTable();
  const counters = sharedCounters({ secret: 's', query, flushMs: 10 });
  counters.take('auth 203.0.113.9', WINDOW);
  await wait(40);
  t.equal(table.hits.size, 1);
  for (const key of table.hits.keys()) t.match(key, /^[\w-]{24}$/);
  await counters.close();
});

t.test('G15 with the table away the process counts alone, and what it counted is sent later', async (t) => {
  const { table, query } = fakeTable();
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const counters = sharedCounters({ secret: 's', query, flushMs: 10, retryMs: 20, onError });
  table.away = true;
  for (let n = 1; n <= 5; n++) {
    t.equal(counters.take('a', WINDOW).hits, n);
    await wait(15);
  }
  t.ok(errors.length > 0);
  table.away = false;
  await wait(80);
  t.same([...table.hits.values()], [5]);
  t.equal(counters.take('a', WINDOW).hits, 6);
  await counters.close();
});

t.test('a hit while a statement is under way is neither lost nor counted twice', async (t) => {
  const { table, query } = fakeTable();
  const slow: Query = async (sql, params) => {
    const rows = await query(sql, params);
    await wait(60);
    return rows;
  };
  const counters = sharedCounters({ secret: 's', query: slow, flushMs: 10 });
  for (let n = 1; n <= 30; n++) {
    t.equal(counters.take('a', WINDOW).hits, n);
    await wait(7);
  }
  await wait(200);
  t.same([...table.hits.values()], [30]);
  await counters.close();
});
