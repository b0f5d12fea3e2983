import fastq from 'fastq';
import { ServiceError } from '../../shared/errors.ts';

/** Reports made at the same time: one is drawn while another is read. */
const AT_ONCE = 2;

/** Reports that may wait. */
const WAITING = 8;

/**
 * Runs a piece of work when it is its turn; throws BUSY at once where too many wait already, and the reason of `gone`
 * where nobody waits for it any more when its turn comes.
 */
export type ReportLine = <Result>(work: () => Promise<Result>, gone: AbortSignal) => Promise<Result>;

/** The line of one process in front of the making of reports, so that they take little from everybody else. */
export function createReportLine(): ReportLine {
  const queue = fastq.promise((task: () => Promise<void>) => task(), AT_ONCE);
  return async <Result>(work: () => Promise<Result>, gone: AbortSignal): Promise<Result> => {
    if (queue.length() >= WAITING) throw new ServiceError('BUSY', { retryAfterSeconds: 2 });
    let result: { value: Result } | undefined;
    await queue.push(async () => {
      gone.throwIfAborted();
      result = { value: await work() };
    });
    if (!result) throw new Error('The line of reports dropped one.');
    return result.value;
  };
}
