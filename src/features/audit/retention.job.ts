import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database } from '../../platform/database.ts';
import { runPgTransaction } from '../../platform/driver-transaction.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { type AuditSigner, findAuditBatchSignatureProblem } from './audit-signer.ts';
import { dropAuditRange, findLastExpiredAuditBatch } from './retention.repository.ts';
import { getDatabaseIdentityAndTransaction } from './trail.repository.ts';

export const AUDIT_RETENTION_QUEUE: JobQueueDefinition = {
  name: 'audit-retention',
  expireInSeconds: 600,
  retryLimit: 2,
  retryDelay: 300,
};

const MAX_DROPPED_ENTRIES = 5_000;

/**
 * Create the job that drops entries older than AUDIT_RETENTION_DAYS, oldest first. Each range leaves a signed
 * checkpoint, so that the rest can still be verified.
 */
export function createAuditRetentionJob(services: { database: Database; signer: AuditSigner }): JobHandler {
  return async () => {
    while ((await dropExpiredEntries(services)) > 0);
  };
}

async function dropExpiredEntries({
  database,
  signer,
}: {
  database: Database;
  signer: AuditSigner;
}): Promise<number> {
  const { batch, state } = await runPgTransaction(database, 'SNAPSHOT', async (connection) => ({
    batch: await findLastExpiredAuditBatch(connection, MAX_DROPPED_ENTRIES),
    state: await getDatabaseIdentityAndTransaction(connection),
  }));
  if (!batch) return 0;
  // The rest is verified from this checkpoint, so its batch must have a valid signature.
  const problem = findAuditBatchSignatureProblem(signer.publicKeys, batch);
  if (problem)
    throw new Error(`Retention stopped at the batch that ends at ${batch.lastSequence}: ${problem}`);
  const checkpoint = signer.signCheckpoint({
    sequence: batch.lastSequence,
    sealHash: batch.lastHash,
    entries: 0,
    at: new Date().toISOString(),
    ...state,
  });
  return database.transaction(async (tx) => {
    const dropped = await dropAuditRange(tx, checkpoint);
    const entry = { action: 'AUDIT_RANGE_DROPPED', outcome: 'SUCCESS' } as const;
    await insertAuditEntry(tx, { ...entry, operation: AUDIT_RETENTION_QUEUE.name, requestId: 'job' });
    return dropped;
  });
}
