import type { Database } from '../../platform/database.ts';
import { type DriverConnection, runDriverTransaction } from '../../platform/driver-transaction.ts';
import type { CheckpointFile } from '../../providers/checkpoints/checkpoints.port.ts';
import type { AuditSigner } from './audit-signer.ts';
import { parseCheckpointLines } from './checkpoint-line.ts';
import { createDatabaseTrailSource } from './database-trail-source.ts';
import { findLastSignedBatch, findUnqueuedEntry, getUnsealedStatus } from './trail.repository.ts';
import { createTrailFinding, type TrailFinding } from './trail-finding.ts';
import { type TrailVerification, verifyTrailSource } from './verify-trail-source.ts';

/** What a verification says of the trail in the database. */
export interface DatabaseTrailVerification extends TrailVerification {
  whole: boolean;
  /** Entries committed and not sealed yet, and since when the oldest of them waits. */
  waiting: number;
  waitingSince: string | null;
  /** Checkpoints from outside that were compared, and lines among them that cannot be read. */
  checkpoints: number;
  unreadableLines: number;
}

/** What a verification reads: the database, the public keys, and what was written outside. */
export interface VerifyTrailServices {
  database: Pick<Database, 'pool'>;
  signer: Pick<AuditSigner, 'publicKeys'>;
  checkpointFile: CheckpointFile;
}

interface VerifyTrailOptions {
  /** Lines of further files of checkpoints, such as that of a target of AUDIT_CHECKPOINT_URL. */
  extraCheckpointLines?: readonly string[];
  /** Told the place reached and the last one. */
  onProgress?: ((sequence: number, last: number) => void) | undefined;
  /** Ends it with an AbortError. */
  signal?: AbortSignal | undefined;
}

const ENTRY_BATCH_SIZE = 10_000;

/**
 * Checks the whole trail in one snapshot of the database against its batches, the checkpoint file and what else is
 * given; names the first entry that is wrong and how. Holds one connection for as long as it takes (about a minute
 * for a million entries); nobody waits for it.
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
      unreadableLines: unreadableLines,
    };
  });
}

function createRemovedEntryFinding(entryId: string | null): TrailFinding | null {
  if (entryId === null) return null;
  return createTrailFinding('REMOVED', null, 'The entry was removed before it was sealed.', { entryId });
}

/** An entry that is neither sealed nor waits to be was put in past the trigger that notes each. */
async function findUnqueuedEntryFinding(
  connection: DriverConnection,
  signal: AbortSignal | undefined,
): Promise<TrailFinding | null> {
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const { looked, last, unnoted } = await findUnqueuedEntry(connection, after, ENTRY_BATCH_SIZE);
    if (unnoted !== null)
      return createTrailFinding(
        'INSERTED',
        null,
        'The entry has no seal, and was never noted to be sealed.',
        {
          entryId: unnoted,
        },
      );
    if (last === null || looked < ENTRY_BATCH_SIZE) return null;
    after = last;
  }
}
