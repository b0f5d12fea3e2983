import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { createGroupCommit, type GroupCommitResult } from '../../src/platform/group-commit.ts';
import { createTestGate } from '../gate.ts';
import { t } from '../tap.ts';

class RowFault extends Error {}

function store(
  fail: (items: readonly number[], nth: number) => void = () => {},
  maxPending = 1_000,
  maxGroupSize = 256,
) {
  const stored: number[] = [];
  const groups: number[][] = [];
  let underWay = 0;
  let overlapped = false;
  const put = createGroupCommit<number, string>({
    name: 'test',
    async write(items) {
      overlapped ||= underWay > 0;
      underWay += 1;
      groups.push([...items]);
      try {
        await turn();
        fail(items, groups.length);
        await turn();
        stored.push(...items.filter((item) => item >= 0));
        return items.map(
          (item): GroupCommitResult<string> =>
            item < 0 ? { error: new RangeError() } : { value: `${item}` },
        );
      } finally {
        underWay -= 1;
      }
    },
    isFaultOfItem: (error) => error instanceof RowFault,
    maxGroupSize,
    maxPending,
  });
  return { put, stored, groups, hasOverlapped: () => overlapped };
}

const settled = async (promises: readonly Promise<string>[]) =>
  (await Promise.allSettled(promises)).map((one) =>
    one.status === 'fulfilled' ? one.value : one.reason.constructor.name,
  );

t.test(
  'writes a single item immediately, and items that arrive meanwhile together and in order',
  async (t) => {
    const { put, groups, stored, hasOverlapped } = store();
    t.equal(await put(1), '1');
    await turn();
    const answers = settled(Array.from({ length: 10 }, (_, index) => put(index)));
    t.equal(groups.length, 2, 'without waiting for more');
    t.same(
      await answers,
      Array.from({ length: 10 }, (_, index) => `${index}`),
    );
    t.same(groups, [[1], [0], [1, 2, 3, 4, 5, 6, 7, 8, 9]]);
    t.same(stored.length, 11);
    t.notOk(hasOverlapped());
  },
);

t.test('bounds the group size and returns each item its own result', async (t) => {
  const { put, groups } = store(() => {}, 1_000, 4);
  const answers = await settled([put(0), put(1), put(-2), put(3), put(4), put(5), put(6)]);
  t.same(answers, ['0', '1', 'RangeError', '3', '4', '5', '6']);
  t.same(
    groups.map(({ length }) => length),
    [1, 4, 2],
  );
});

t.test('stores the other items of a group with a bad row, each once', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), async (bad) => {
      const { put, stored } = store((items) => {
        if (items.some((item) => bad[item])) throw new RowFault();
      });
      const answers = await settled(bad.map((_, index) => put(index)));
      t.same(
        answers,
        bad.map((isBad, index) => (isBad ? 'RowFault' : `${index}`)),
      );
      t.same(
        [...stored].sort((one, other) => one - other),
        bad.flatMap((isBad, index) => (isBad ? [] : [index])),
      );
    }),
    { numRuns: 50 },
  );
});

t.test('fails only the current group when the database fails, and writes the next one', async (t) => {
  const { put, stored, groups } = store((_items, nth) => {
    if (nth === 2) throw new TypeError('connection lost');
  });
  const first = [put(0), put(1), put(2)];
  await turn();
  t.same(await settled(first), ['0', 'TypeError', 'TypeError']);
  t.same(await settled([put(3), put(4)]), ['3', '4']);
  t.same(stored, [0, 3, 4]);
  t.equal(groups.length, 4, 'items with an unknown outcome are not retried');
});

t.test('rejects items beyond the limit with Retry-After, and accepts new ones afterwards', async (t) => {
  const gate = createTestGate();
  let written = 0;
  const put = createGroupCommit<number, number>({
    name: 'test',
    async write(items) {
      await gate.whenOpened;
      written += items.length;
      return items.map((value) => ({ value }));
    },
    isFaultOfItem: () => false,
    maxGroupSize: 2,
    maxPending: 5,
  });
  const taken = Array.from({ length: 6 }, (_, index) => put(index));
  await t.rejects(put(9), { code: 'BUSY', retryAfterSeconds: 1 });
  gate.open();
  await Promise.all(taken);
  t.equal(written, 6);
  t.equal(await put(7), 7);
});

t.test('fails all items when the writer returns too few results', async (t) => {
  const put = createGroupCommit<number, number>({
    name: 'test',
    write: async () => [],
    isFaultOfItem: () => false,
    maxGroupSize: 9,
    maxPending: 9,
  });
  await t.rejects(put(1), /number of results/);
});
