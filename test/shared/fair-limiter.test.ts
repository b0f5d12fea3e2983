import { setImmediate } from 'node:timers/promises';
import { createFairLimiter } from '../../src/shared/fair-limiter.ts';
import { t } from '../tap.ts';

function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), wait: () => opened };
}

/** The error of a task that is refused at once, not one that waits for the others. */
const getError = (task: Promise<unknown>) =>
  Promise.race([task.catch((error: unknown) => error), setImmediate('it waits')]);

t.test('keys take turns, however many tasks one of them has', async (t) => {
  const limiter = createFairLimiter({ concurrency: 1, maxQueued: 10, maxQueuedPerKey: 5 });
  const gate = createGate();
  const order: string[] = [];
  const run = (key: string, name: string) =>
    limiter(key, async () => {
      await gate.wait();
      order.push(name);
    });
  const runs = [
    run('a', 'a1'),
    run('a', 'a2'),
    run('a', 'a3'),
    run('a', 'a4'),
    run('b', 'b1'),
    run('c', 'c1'),
  ];
  gate.open();
  await Promise.all(runs);
  t.strictSame(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
});

t.test('a key with too many waiting tasks is refused, others only when the queue is full', async (t) => {
  const limiter = createFairLimiter({ concurrency: 2, maxQueued: 3, maxQueuedPerKey: 2 });
  const gate = createGate();
  let running = 0;
  let maxRunning = 0;
  const run = (key: string) =>
    limiter(key, async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await gate.wait();
      running -= 1;
    });
  const runs = [run('a'), run('a'), run('a'), run('a')];
  t.match(await getError(run('a')), { code: 'RATE_LIMITED', retryAfterSeconds: 2 });
  runs.push(run('b'));
  t.match(await getError(run('c')), { code: 'BUSY', retryAfterSeconds: 2 });
  gate.open();
  await Promise.all(runs);
  t.equal(maxRunning, 2);
  await t.resolves(run('a'), 'a free queue accepts again');
});

t.test('a failed task frees its slot', async (t) => {
  const limiter = createFairLimiter({ concurrency: 1, maxQueued: 1, maxQueuedPerKey: 1 });
  await t.rejects(
    limiter('a', () => Promise.reject(new Error('broken'))),
    { message: 'broken' },
  );
  t.equal(await limiter('a', async () => 1), 1);
});
