import { ServiceError } from './errors.ts';
import { bindActiveSpan } from './tracing.ts';

interface FairLimiterOptions {
  concurrency: number;
  maxQueued: number;
  maxQueuedPerKey: number;
}

/**
 * Run a task when a slot is free. Keys take turns, so a key with many tasks does not delay the others.
 * @throws RATE_LIMITED immediately if too many tasks of this key wait, BUSY if too many wait in all
 */
export type FairLimiter = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>;

const RETRY_AFTER_SECONDS = 2;

export function createFairLimiter({
  concurrency,
  maxQueued,
  maxQueuedPerKey,
}: FairLimiterOptions): FairLimiter {
  // A Map keeps the order of insertion: the first key is next.
  const queues = new Map<string, (() => Promise<void>)[]>();
  let queued = 0;
  let running = 0;

  function startNext(): void {
    while (running < concurrency) {
      const next = queues.entries().next().value;
      if (!next) return;
      const [key, tasks] = next;
      const run = tasks.shift();
      queues.delete(key);
      if (tasks.length > 0) queues.set(key, tasks);
      if (!run) continue;
      queued -= 1;
      running += 1;
      void run().finally(() => {
        running -= 1;
        startNext();
      });
    }
  }

  return (key, task) =>
    new Promise((resolve, reject) => {
      const tasks = queues.get(key) ?? [];
      if (tasks.length >= maxQueuedPerKey)
        throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      if (queued >= maxQueued) throw new ServiceError('BUSY', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      tasks.push(bindActiveSpan(async () => task().then(resolve, reject)));
      queues.set(key, tasks);
      queued += 1;
      startNext();
    });
}
