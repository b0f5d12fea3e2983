import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { HOUR_MS } from '../../shared/durations.ts';
import { getMinIdAt } from '../../shared/ids.ts';
import { findQrCodesWithoutNumber, insertShortNumbers } from './short-number.repository.ts';

export const ASSIGN_SHORT_NUMBERS_QUEUE: JobQueueDefinition = {
  name: 'assign-short-numbers',
  expireInSeconds: 300,
  retryLimit: 3,
  retryDelay: 60,
};

const BATCH_SIZE = 500;

/** The next run continues. */
const MAX_RUN_MS = 120_000;

/** Longer than clocks of instances differ, and than a transaction takes. */
const RECHECKED_MS = HOUR_MS;

/**
 * Create the job that numbers codes of earlier versions. A process first looks at all codes, so that no cursor has to be
 * stored; afterwards at those that an earlier version may have created beside it.
 */
export function createAssignShortNumbersJob(
  { database }: { database: Pick<Database, 'client'> },
  { batchSize = BATCH_SIZE, maxRunMs = MAX_RUN_MS } = {},
): JobHandler {
  let afterId = '';
  return async () => {
    const startedAt = Date.now();
    do {
      const { withoutNumber, lastId } = await findQrCodesWithoutNumber(database.client, afterId, batchSize);
      await insertShortNumbers(database.client, withoutNumber);
      if (lastId === null) {
        afterId = getMinIdAt(new Date(startedAt - RECHECKED_MS));
        return;
      }
      afterId = lastId;
    } while (Date.now() - startedAt < maxRunMs);
  };
}
