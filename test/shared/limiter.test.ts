import { setImmediate } from 'node:timers/promises';
import { createConcurrencyLimiter } from '../../src/shared/limiter.ts';
import { t } from '../tap.ts';

t.test('bounds concurrency, keeps the order, and rejects tasks beyond a full queue', async (t) => {
  const limiter = createConcurrencyLimiter(2, { maxQueued: 1, retryAfterSeconds: 7 });
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const run = (number: number) =>
    limiter(async () => {
      begun.push(number);
      await new Promise<void>((resolve) => ends.push(resolve));
      return number;
    });
  const [first, second, third] = [run(1), run(2), run(3)];
  const fourth = run(4).catch((error: unknown) => error);
  t.match(await Promise.race([fourth, setImmediate('it waits')]), { code: 'BUSY', retryAfterSeconds: 7 });
  t.same(begun, [1, 2]);
  ends.shift()?.();
  t.equal(await first, 1);
  await setImmediate();
  t.same(begun, [1, 2, 3], 'the next begins');
  const fifth = run(5);
  for (const end of ends.splice(0)) end();
  t.same(await Promise.all([second, third]), [2, 3]);
  t.same(begun, [1, 2, 3, 5]);
  ends.shift()?.();
  t.equal(await fifth, 5);
});

t.test('rethrows the error of a task and runs the next', async (t) => {
  const limiter = createConcurrencyLimiter(1);
  const failed = limiter(async () => {
    throw new Error('no');
  });
  const next = limiter(async () => 'yes');
  await t.rejects(failed, { message: 'no' });
  t.equal(await next, 'yes');
});
