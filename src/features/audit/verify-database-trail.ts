import type { Database } from '../../platform/database.ts';
import { type PgConnection, runPgTransaction } from '../../platform/driver-transaction.ts';
import type { AuditCheckpointFile } from '../../providers/checkpoints/checkpoints.port.ts';
import type { AuditSigner } from './audit-signer.ts';
import { parseAuditCheckpointLines } from './checkpoint-line.ts';
import { createDatabaseAuditTrailSource } from './database-trail-source.ts';
import {
  findLastSignedAuditBatch,
  findUnqueuedAuditEntryInPage,
  getUnsealedAuditEntryStatus,
} from './trail.repository.ts';
import { createTrailFinding, type TrailFinding } from './trail-finding.ts';
import { type TrailVerification, verifyAuditTrailSource } from './verify-trail-source.ts';

export interface DatabaseTrailVerification extends TrailVerification {
  valid: boolean;
  /** Entries committed and not sealed yet, and since when the oldest waits. */
  waiting: number;
  waitingSince: string | null;
  /** External checkpoints that were compared, and lines that cannot be read. */
  checkpoints: number;
  unreadableLines: number;
}

export interface AuditTrailVerificationServices {
  database: Pick<Database, 'pool'>;
  signer: Pick<AuditSigner, 'publicKeys'>;
  checkpointFile: AuditCheckpointFile;
}

interface VerifyTrailOptions {
  /** Lines of other checkpoint files, such as that of the target of AUDIT_CHECKPOINT_URL. */
  extraCheckpointLines?: readonly string[];
  onProgress?: ((sequence: number, last: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

const ENTRY_BATCH_SIZE = 10_000;

/**
 * Verify the trail in one snapshot against its batches and checkpoints, and find the first invalid entry. Uses one
 * connection for about a minute per million entries; blocks no writers.
 * @throws AbortError after `signal`
 */
export async function verifyDatabaseAuditTrail(
  services: AuditTrailVerificationServices,
  options: VerifyTrailOptions = {},
): Promise<DatabaseTrailVerification> {
  const lines = [...(await services.checkpointFile.readLines()), ...(options.extraCheckpointLines ?? [])];
  const { checkpoints, unreadableLines } = parseAuditCheckpointLines(lines);
  const { signal } = options;
  return runPgTransaction(services.database, 'SNAPSHOT', async (connection) => {
    const last = (await findLastSignedAuditBatch(connection))?.lastSequence ?? 0;
    const { onProgress } = options;
    const trail = await verifyAuditTrailSource(createDatabaseAuditTrailSource(connection), {
      keys: services.signer.publicKeys,
      checkpoints,
      signal,
      onProgress: onProgress && ((sequence) => onProgress(sequence, last)),
    });
    const waiting = await getUnsealedAuditEntryStatus(connection);
    const finding =
      trail.finding ??
      createRemovedEntryFinding(waiting.removed) ??
      (await findUnqueuedEntryFinding(connection, signal));
    return {
      ...trail,
      finding,
      valid: finding === null,
      waiting: waiting.count,
      waitingSince: waiting.since,
      checkpoints: checkpoints.length,
      unreadableLines,
    };
  });
}

function createRemovedEntryFinding(entryId: string | null): TrailFinding | null {
  if (entryId === null) return null;
  return createTrailFinding('REMOVED', null, 'The entry was removed before it was sealed.', { entryId });
}

/** An entry that is neither sealed nor queued was inserted with the trigger bypassed. */
async function findUnqueuedEntryFinding(
  connection: PgConnection,
  signal: AbortSignal | undefined,
): Promise<TrailFinding | null> {
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const { scanned, last, unqueued } = await findUnqueuedAuditEntryInPage(
      connection,
      after,
      ENTRY_BATCH_SIZE,
    );
    if (unqueued !== null)
      return createTrailFinding(
        'INSERTED',
        null,
        'The entry has no seal, and was never noted to be sealed.',
        {
          entryId: unqueued,
        },
      );
    if (last === null || scanned < ENTRY_BATCH_SIZE) return null;
    after = last;
  }
}
