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
