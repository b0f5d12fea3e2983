import { ServiceError } from './errors.ts';
import { bindActiveSpan } from './tracing.ts';

interface FairLimiterOptions {
  concurrency: number;
  maxQueued: number;
  maxQueuedPerKey: number;
}

/**
 * Run a task when a slot is free. Keys share the slots equally by the cost of their tasks, so that a key with many or large
 * tasks does not delay the others. When too many wait, the newest task of the key that waits with most gives way.
 * @param cost relative to the other tasks of the limiter
 * @throws RATE_LIMITED if too many tasks of this key wait, or when one gives way; BUSY if keys with as little wait
 */
export type FairLimiter = <Result>(
  key: string,
  task: () => Promise<Result>,
  cost?: number,
) => Promise<Result>;

interface WaitingTask {
  cost: number;
  run(): Promise<void>;
  reject(error: unknown): void;
}

interface Queue {
  tasks: WaitingTask[];
  /** Of its waiting tasks. */
  cost: number;
  /** When its next task starts, on a clock that costs advance (start-time fair queueing). */
  startsAt: number;
}

const RETRY_AFTER_SECONDS = 2;

export function createFairLimiter(options: FairLimiterOptions): FairLimiter {
  const { concurrency, maxQueued, maxQueuedPerKey } = options;
  const queues = new Map<string, Queue>();
  /** When the next task of a key without waiting ones may start. */
  const nextStarts = new Map<string, number>();
  let clock = 0;
  let queued = 0;
  let running = 0;

  function startNext(): void {
    while (running < concurrency && queues.size > 0) {
      const [key, queue] = findFirst((one, other) => one.startsAt < other.startsAt);
      const task = queue.tasks.shift();
      if (!task) return;
      clock = queue.startsAt;
      queue.startsAt += task.cost;
      nextStarts.set(key, queue.startsAt);
      forget(key, queue, task);
      // Behind other keys that start at the same time.
      if (queues.delete(key) && queue.tasks.length > 0) queues.set(key, queue);
      running += 1;
      void task.run().finally(() => {
        running -= 1;
        startNext();
        for (const [one, startsAt] of nextStarts)
          if (startsAt <= clock || running === 0) nextStarts.delete(one);
      });
    }
  }

  function forget(key: string, queue: Queue, task: WaitingTask): void {
    queued -= 1;
    queue.cost -= task.cost;
    if (queue.tasks.length === 0) queues.delete(key);
  }

  function dropTaskOfGreediestKey(key: string, cost: number): void {
    const [greediestKey, queue] = findFirst((one, other) => one.cost > other.cost);
    const own = (queues.get(key)?.cost ?? 0) + cost;
    const task = greediestKey !== key && queue.cost > own ? queue.tasks.pop() : undefined;
    if (!task) throw new ServiceError('BUSY', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    forget(greediestKey, queue, task);
    task.reject(createPreemptedError());
  }

  /** Of equal ones, that which came first. */
  function findFirst(isBefore: (one: Queue, other: Queue) => boolean): [string, Queue] {
    let first: [string, Queue] | undefined;
    for (const entry of queues) if (!first || isBefore(entry[1], first[1])) first = entry;
    if (!first) throw new Error('No task waits.');
    return first;
  }

  return (key, task, cost = 1) =>
    new Promise((resolve, reject) => {
      if ((queues.get(key)?.tasks.length ?? 0) >= maxQueuedPerKey)
        throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      if (queued >= maxQueued) dropTaskOfGreediestKey(key, cost);
      const queue = queues.get(key) ?? {
        tasks: [],
        cost: 0,
        startsAt: Math.max(clock, nextStarts.get(key) ?? 0),
      };
      const run = bindActiveSpan(async () => task().then(resolve, reject));
      queue.tasks.push({ cost, run, reject });
      queue.cost += cost;
      queues.set(key, queue);
      queued += 1;
      startNext();
    });
}

/** For those who wait for a task of somebody else: they did not send too many. */
export function rethrowAsBusy(error: unknown): never {
  if (error instanceof ServiceError && error.code === 'RATE_LIMITED')
    throw new ServiceError('BUSY', { retryAfterSeconds: error.retryAfterSeconds ?? RETRY_AFTER_SECONDS });
  throw error;
}

function createPreemptedError(): ServiceError {
  return new ServiceError('RATE_LIMITED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
