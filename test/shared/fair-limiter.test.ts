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
  t.strictSame(order, ['a1', 'b1', 'c1', 'a2', 'a3', 'a4']);
});

t.test('keys share the slots by the cost of their tasks', async (t) => {
  const limiter = createFairLimiter({ concurrency: 1, maxQueued: 20, maxQueuedPerKey: 10 });
  const gate = createGate();
  const order: string[] = [];
  const run = (key: string, cost: number) =>
    limiter(
      key,
      async () => {
        await gate.wait();
        order.push(key);
      },
      cost,
    );
  const first = run('first', 1);
  const runs = ['a', 'b'].flatMap((key) => [1, 2, 3, 4].map(() => run(key, key === 'a' ? 3 : 1)));
  gate.open();
  await Promise.all([first, ...runs]);
  t.strictSame(order, ['first', 'a', 'b', 'b', 'b', 'a', 'b', 'a', 'a']);
});

t.test('the newest task of the key that waits with most gives way to others', async (t) => {
  const limiter = createFairLimiter({ concurrency: 2, maxQueued: 20, maxQueuedPerKey: 4 });
  const gate = createGate();
  const order: string[] = [];
  const run = (key: string, name: string, cost = 1) =>
    limiter(
      key,
      async () => {
        await gate.wait();
        order.push(name);
      },
      cost,
    );
  const runs: Promise<unknown>[] = [];
  for (const account of ['a', 'b', 'c', 'd', 'e', 'f'])
    for (const task of [1, 2, 3, 4]) {
      const promise = run(account, `${account}${task}`, account === 'd' ? 10 : 5);
      promise.catch(() => undefined);
      runs.push(promise);
    }
  const newcomer = run('newcomer', 'newcomer');
  t.match(await getError(runs[15] ?? newcomer), { code: 'RATE_LIMITED' }, 'the newest of the greediest');
  t.equal(await getError(newcomer), 'it waits');
  t.match(await getError(run('newcomer', 'large', 100)), { code: 'BUSY' }, 'which asks for more than others');
  gate.open();
  await newcomer;
  t.ok(order.indexOf('newcomer') <= 7, `each key is served once before, not more: ${order.join()}`);
  await Promise.allSettled(runs);
});

t.test(
  'a key with too many waiting tasks is refused, others only when all wait with as little',
  async (t) => {
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
    runs[3]?.catch(() => undefined);
    t.match(await getError(run('a')), { code: 'RATE_LIMITED', retryAfterSeconds: 2 });
    runs.push(run('b'));
    const newest = runs[3];
    runs.push(run('c'));
    t.match(await getError(newest ?? run('a')), { code: 'RATE_LIMITED' });
    t.match(await getError(run('d')), { code: 'BUSY', retryAfterSeconds: 2 });
    gate.open();
    await Promise.allSettled(runs);
    t.equal(maxRunning, 2);
    await t.resolves(run('a'), 'a free queue accepts again');
  },
);

t.test('a failed task frees its slot', async (t) => {
  const limiter = createFairLimiter({ concurrency: 1, maxQueued: 1, maxQueuedPerKey: 1 });
  await t.rejects(
    limiter('a', () => Promise.reject(new Error('broken'))),
    { message: 'broken' },
  );
  t.equal(await limiter('a', async () => 1), 1);
});
