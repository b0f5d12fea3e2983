import fastq from 'fastq';
import { ServiceError } from './errors.ts';
import { bindActiveSpan } from './tracing.ts';

/** Run a task when a slot is free. @throws BUSY immediately if too many tasks wait */
export type ConcurrencyLimiter = <Result>(task: () => Promise<Result>) => Promise<Result>;

export function createConcurrencyLimiter(
  concurrency: number,
  limit?: { maxQueued: number; retryAfterSeconds: number },
): ConcurrencyLimiter {
  const queue = fastq.promise((task: () => Promise<void>) => task(), concurrency);
  return (task) =>
    new Promise((resolve, reject) => {
      if (limit && queue.length() >= limit.maxQueued)
        throw new ServiceError('BUSY', { retryAfterSeconds: limit.retryAfterSeconds });
      queue.push(bindActiveSpan(() => task().then(resolve, reject))).catch(reject);
    });
}

const SLOT_RETRY_AFTER_SECONDS = 5;

/** Create the function that takes one of a few slots of a key, and returns how to release it. @throws RATE_LIMITED */
export function createSlotsPerKey(maxPerKey: number): (key: string) => () => void {
  const takenByKey = new Map<string, number>();
  return (key) => {
    const taken = takenByKey.get(key) ?? 0;
    if (taken >= maxPerKey)
      throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: SLOT_RETRY_AFTER_SECONDS });
    takenByKey.set(key, taken + 1);
    return () => {
      const left = (takenByKey.get(key) ?? 0) - 1;
      if (left > 0) takenByKey.set(key, left);
      else takenByKey.delete(key);
    };
  };
}
