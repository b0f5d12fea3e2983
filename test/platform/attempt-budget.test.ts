import type { Test } from 'tap';
import {
  consumeAttempts,
  deleteExpiredAttemptBudgets,
  refundAttempts,
  resetAttempts,
} from '../../src/platform/attempt-budget.repository.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { cloneDatabase, DATABASE_TIMEOUTS } from '../helper.ts';
import { t } from '../tap.ts';

async function setUp(t: Test) {
  const url = await cloneDatabase(t);
  const database = openDatabase({
    url: url.application,
    poolSize: 10,
    ...DATABASE_TIMEOUTS,
    onError: () => {},
  });
  t.teardown(async () => {
    await database.close();
    await url.drop();
  });
  const reserve = (...budgets: { key: string; allowed: number; windowSeconds: number }[]) =>
    database.transaction((tx) => consumeAttempts(tx, budgets));
  const used = async () =>
    Object.fromEntries((await database.client.attemptBudget.findMany()).map(({ key, used }) => [key, used]));
  return { database, reserve, used };
}

const narrow = { key: 'narrow', allowed: 3, windowSeconds: 60 };
const wide = { key: 'wide', allowed: 10, windowSeconds: 3_600 };

t.test('consumes no more attempts than the limit under concurrency', async (t) => {
  const { reserve, used } = await setUp(t);
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => reserve(narrow, wide)));
  const successes = results.filter(({ status }) => status === 'fulfilled');
  t.equal(successes.length, 3);
  for (const result of results) {
    if (result.status === 'rejected') {
      t.match(result.reason, { code: 'RATE_LIMITED' });
      t.ok(result.reason.retryAfterSeconds >= 1 && result.reason.retryAfterSeconds <= 60);
    }
  }
  t.same(await used(), { narrow: 3, wide: 3 }, 'rejected attempts consumed nothing of the other limit');
});

t.test('returns the remaining attempts and the longest wait of the exhausted limits', async (t) => {
  const { reserve } = await setUp(t);
  t.same(await reserve(wide, narrow), [
    { key: 'wide', left: 9 },
    { key: 'narrow', left: 2 },
  ]);
  await reserve(narrow);
  await reserve(narrow);
  const spent = { ...wide, allowed: 1 };
  await t.rejects(reserve(narrow, spent), { code: 'RATE_LIMITED', retryAfterSeconds: 3_600 });
  await t.rejects(reserve(narrow), { code: 'RATE_LIMITED' });
});

t.test('starts a new window after the previous one', async (t) => {
  const { database, reserve, used } = await setUp(t);
  for (let count = 0; count < 3; count++) await reserve(narrow);
  await database.pool.query('UPDATE attempt_budgets SET window_ends_at = now()');
  t.same(await reserve(narrow), [{ key: 'narrow', left: 2 }]);
  t.same(await used(), { narrow: 1 });
});

t.test('refunds no more attempts than were consumed, and a reset restores the limit', async (t) => {
  const { database, reserve, used } = await setUp(t);
  await reserve(narrow, wide);
  await refundAttempts(database.client, ['narrow', 'wide', 'absent']);
  await refundAttempts(database.client, ['narrow']);
  t.same(await used(), { narrow: 0, wide: 0 });
  await reserve(narrow, wide);
  await resetAttempts(database.client, ['narrow']);
  t.same(await used(), { wide: 1 });
});

t.test('does not deadlock on limits consumed in different orders', async (t) => {
  const { reserve, used } = await setUp(t);
  const many = { ...wide, allowed: 1_000 };
  const other = { ...many, key: 'another' };
  await Promise.all(
    Array.from({ length: 60 }, (_, index) => (index % 2 ? reserve(many, other) : reserve(other, many))),
  );
  t.same(await used(), { wide: 60, another: 60 });
});

t.test('the clean-up deletes expired budgets', async (t) => {
  const { database, reserve, used } = await setUp(t);
  await reserve(narrow, wide);
  await database.pool.query(
    "UPDATE attempt_budgets SET window_ends_at = now() - interval '2 days' WHERE key = 'wide'",
  );
  t.equal(await deleteExpiredAttemptBudgets(database.client), 1);
  t.same(await used(), { narrow: 1 });
});
