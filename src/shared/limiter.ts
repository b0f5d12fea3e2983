import fastq from 'fastq';
import { ServiceError } from './errors.ts';

/** Runs a task when its turn comes, and answers what it answers; throws BUSY at once where too many wait. */
export type Limiter = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** A line of tasks of which so many run at the same time, in the order of coming; so many may wait, or any number. */
export function createLimiter(
  concurrency: number,
  limit?: { maxQueued: number; retryAfterSeconds: number },
): Limiter {
  const queue = fastq.promise((task: () => Promise<void>) => task(), concurrency);
  return (task) =>
    new Promise((resolve, reject) => {
      if (limit && queue.length() >= limit.maxQueued)
        throw new ServiceError('BUSY', { retryAfterSeconds: limit.retryAfterSeconds });
      queue.push(() => task().then(resolve, reject)).catch(reject);
    });
}
