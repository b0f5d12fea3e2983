import { addAuditEntry } from '../../platform/audit.repository.ts';
import type { Database } from '../../platform/database.ts';
import { driverTransaction } from '../../platform/driver-transaction.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { Queue } from '../../platform/jobs.ts';
import { type AuditKeys, batchProblem } from './audit-keys.ts';
import { dropRange, findDroppable } from './retention.repository.ts';
import { findState } from './trail.repository.ts';

/** The queue of the hourly look for audit entries that are too old to be kept. */
export const RETENTION_QUEUE: Queue = {
  name: 'audit-retention',
  expireInSeconds: 600,
  retryLimit: 2,
  retryDelay: 300,
};

/** Entries dropped in one transaction at most. */
const AT_ONCE = 5_000;

/**
 * Drops audit entries older than AUDIT_RETENTION_DAYS, oldest first, each range with a signed checkpoint of its end, so
 * that the rest stays provable. Does nothing where they are kept for ever.
 */
export function retentionJob(services: { database: Database; keys: AuditKeys }): JobHandler {
  return async () => {
    while ((await dropOldest(services)) > 0);
  };
}

async function dropOldest({ database, keys }: { database: Database; keys: AuditKeys }): Promise<number> {
  const { batch, state } = await driverTransaction(database, 'SNAPSHOT', async (connection) => ({
    batch: await findDroppable(connection, AT_ONCE),
    state: await findState(connection),
  }));
  if (!batch) return 0;
  // What is signed here is what the rest is proved from: it must not be somebody else's word.
  const problem = batchProblem(keys.known, batch);
  if (problem)
    throw new Error(`Nothing is dropped: the batch that ends at ${batch.lastSequence}: ${problem}`);
  const checkpoint = keys.signCheckpoint({
    sequence: batch.lastSequence,
    sealHash: batch.lastHash,
    entries: 0,
    at: new Date().toISOString(),
    ...state,
  });
  return database.transaction(async (tx) => {
    const dropped = await dropRange(tx, checkpoint);
    const entry = { action: 'AUDIT_RANGE_DROPPED', outcome: 'SUCCESS' } as const;
    await addAuditEntry(tx, { ...entry, operation: RETENTION_QUEUE.name, requestId: 'job' });
    return dropped;
  });
}
