import { createPollLoop } from '../../src/platform/poll-loop.ts';
import { t } from '../tap.ts';

/** No test waits for a poll. */
const POLL_INTERVAL_MS = 3_600_000;

/** Work that a test ends call by call. */
function createManualWork() {
  const started: (() => void)[] = [];
  const calls: ((isBusy: boolean) => void)[] = [];
  const work = () =>
    new Promise<boolean>((resolve) => {
      calls.push(resolve);
      started.shift()?.();
    });
  const next = async () => {
    if (calls.length === 0) await new Promise<void>((resolve) => started.push(resolve));
    const end = calls.shift();
    if (!end) throw new Error('No call is under way.');
    return end;
  };
  return { work, next, calls };
}

t.test('works on while there is work, and is woken afterwards', async () => {
  for (const pauseMs of [0, 1]) {
    const { work, next } = createManualWork();
    const loop = createPollLoop({ work, pollIntervalMs: POLL_INTERVAL_MS, pauseMs });
    loop.start();
    (await next())(true);
    (await next())(false);
    loop.wake();
    (await next())(false);
    await loop.stop();
  }
});

t.test('being woken while it works is not lost', async () => {
  const { work, next } = createManualWork();
  const loop = createPollLoop({ work, pollIntervalMs: POLL_INTERVAL_MS });
  loop.start();
  const end = await next();
  loop.wakeNow();
  end(false);
  (await next())(false);
  await loop.stop();
});

t.test('stopping waits for the work under way, and starting again is possible', async (t) => {
  const { work, next, calls } = createManualWork();
  const loop = createPollLoop({ work, pollIntervalMs: POLL_INTERVAL_MS });
  loop.wake();
  t.ok(loop.isStopped, 'does nothing before its start');
  loop.start();
  loop.start();
  const end = await next();
  t.same(calls, [], 'once');
  let hasStopped = false;
  const stopping = loop.stop().then(() => {
    hasStopped = true;
  });
  await new Promise(setImmediate);
  t.notOk(hasStopped);
  end(true);
  await stopping;
  t.same(calls, [], 'no further call');
  loop.start();
  (await next())(false);
  await loop.stop();
});
