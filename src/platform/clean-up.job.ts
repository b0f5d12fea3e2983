import { deleteExpiredAttemptBudgets } from './attempt-budget.repository.ts';
import type { Database } from './database.ts';
import type { Feature } from './feature.ts';
import { deleteExpiredIdempotencyKeys } from './idempotency.repository.ts';
import type { JobHandler } from './job-worker.ts';
import type { JobQueueDefinition } from './jobs.ts';
import { recordRepeatedAccesses } from './repeated-access.repository.ts';

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
    const steps = [
      () => deleteExpiredIdempotencyKeys(client),
      () => deleteExpiredAttemptBudgets(client),
      () => recordRepeatedAccesses(database),
      ...Object.values(features).flatMap(({ cleanUp = [] }) => cleanUp),
    ];
    // An unavailable file store must not keep data of other features.
    const errors: unknown[] = [];
    for (const step of steps) await step().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
  };
}
