import { deleteExpiredAttemptBudgets } from './attempt-budget.repository.ts';
import type { Database } from './database.ts';
import type { Feature } from './feature.ts';
import { deleteExpiredIdempotencyKeys } from './idempotency.repository.ts';
import type { JobHandler } from './job-worker.ts';
import type { JobQueueDefinition } from './jobs.ts';

export const CLEAN_UP_QUEUE: JobQueueDefinition = {
  name: 'clean-up',
  expireInSeconds: 120,
  retryLimit: 2,
  retryDelay: 60,
};

export function createCleanUpJob({
  database,
  features,
}: {
  database: Database;
  features: Readonly<Record<string, Feature>>;
}): JobHandler {
  const { client } = database;
  return async () => {
    await deleteExpiredIdempotencyKeys(client);
    await deleteExpiredAttemptBudgets(client);
    for (const { cleanUp = [] } of Object.values(features)) for (const step of cleanUp) await step();
  };
}
