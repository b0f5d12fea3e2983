import type { Database } from '../../platform/database.ts';
import { type DriverConnection, runDriverTransaction } from '../../platform/driver-transaction.ts';
import type { CheckpointFile } from '../../providers/checkpoints/checkpoints.port.ts';
import type { AuditSigner } from './audit-signer.ts';
import { parseCheckpointLines } from './checkpoint-line.ts';
import { createDatabaseTrailSource } from './database-trail-source.ts';
import { findLastSignedBatch, findUnqueuedEntry, getUnsealedStatus } from './trail.repository.ts';
import { createTrailFinding, type TrailFinding } from './trail-finding.ts';
import { type TrailVerification, verifyTrailSource } from './verify-trail-source.ts';

export interface DatabaseTrailVerification extends TrailVerification {
  whole: boolean;
  /** Entries committed and not sealed yet, and since when the oldest waits. */
  waiting: number;
  waitingSince: string | null;
  /** External checkpoints that were compared, and lines that cannot be read. */
  checkpoints: number;
  unreadableLines: number;
}

export interface VerifyTrailServices {
  database: Pick<Database, 'pool'>;
  signer: Pick<AuditSigner, 'publicKeys'>;
  checkpointFile: CheckpointFile;
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
export async function verifyDatabaseTrail(
  services: VerifyTrailServices,
  options: VerifyTrailOptions = {},
): Promise<DatabaseTrailVerification> {
  const lines = [...(await services.checkpointFile.readLines()), ...(options.extraCheckpointLines ?? [])];
  const { checkpoints, unreadableLines } = parseCheckpointLines(lines);
  const { signal } = options;
  return runDriverTransaction(services.database, 'SNAPSHOT', async (connection) => {
    const last = (await findLastSignedBatch(connection))?.lastSequence ?? 0;
    const { onProgress } = options;
    const trail = await verifyTrailSource(createDatabaseTrailSource(connection), {
      keys: services.signer.publicKeys,
      checkpoints,
      signal,
      onProgress: onProgress && ((sequence) => onProgress(sequence, last)),
    });
    const waiting = await getUnsealedStatus(connection);
    const finding =
      trail.finding ??
      createRemovedEntryFinding(waiting.removed) ??
      (await findUnqueuedEntryFinding(connection, signal));
    return {
      ...trail,
      finding,
      whole: finding === null,
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
  connection: DriverConnection,
  signal: AbortSignal | undefined,
): Promise<TrailFinding | null> {
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const { scanned, last, unqueued } = await findUnqueuedEntry(connection, after, ENTRY_BATCH_SIZE);
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
