import fastq from 'fastq';
import { ServiceError } from '../../shared/errors.ts';

/** Runs a piece of work when it is its turn. */
export type ScanQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Scans written at the same time: fewer than the pool has connections, so that a rush leaves some to the others. */
const AT_ONCE = 4;

/** Scans that may wait; at a few milliseconds each nobody waits for long. */
const WAITING = 500;

/**
 * The line in front of the database for scans of one process that need a transaction of their own: a rush waits here
 * and not for a connection, which would be refused after a while. Throws BUSY when too many wait.
 */
export function createScanQueue(): ScanQueue {
  const queue = fastq.promise((task: () => Promise<void>) => task(), AT_ONCE);
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (queue.length() >= WAITING) throw new ServiceError('BUSY', { retryAfterSeconds: 1 });
    let result: { value: Result } | undefined;
    await queue.push(async () => {
      result = { value: await work() };
    });
    if (!result) throw new Error('The line of scans dropped one.');
    return result.value;
  };
}
