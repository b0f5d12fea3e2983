import type { Database } from '../../platform/database.ts';
import { type Connection, driverTransaction } from '../../platform/driver-transaction.ts';
import type { CheckpointFile } from '../../providers/checkpoints/checkpoints.port.ts';
import type { AuditKeys } from './audit-keys.ts';
import { type CheckedTrail, checkTrail } from './check-trail.ts';
import { readCheckpointLines } from './checkpoint-line.ts';
import { databaseSource } from './database-source.ts';
import { findLastBatch, findUnnoted, findWaiting } from './trail.repository.ts';
import { type Finding, findingAt } from './trail-finding.ts';

/** What a verification says of the trail in the database. */
export interface Verification extends CheckedTrail {
  whole: boolean;
  /** Entries committed and not sealed yet, and since when the oldest of them waits. */
  waiting: number;
  waitingSince: string | null;
  /** Checkpoints from outside that were compared, and lines among them that cannot be read. */
  checkpoints: number;
  unreadableLines: number;
}

/** What a verification reads: the database, the public keys, and what was written outside. */
export interface VerifyServices {
  database: Pick<Database, 'pool'>;
  keys: Pick<AuditKeys, 'known'>;
  checkpointFile: CheckpointFile;
}

interface Options {
  /** Lines of further files of checkpoints, such as that of a target of AUDIT_CHECKPOINT_URL. */
  moreLines?: readonly string[];
  /** Told the place reached and the last one. */
  progress?: ((sequence: number, last: number) => void) | undefined;
  /** Ends it with an AbortError. */
  signal?: AbortSignal | undefined;
}

const ENTRIES_AT_ONCE = 10_000;

/**
 * Checks the whole trail in one snapshot of the database against its batches, the checkpoint file and what else is
 * given; names the first entry that is wrong and how. Holds one connection for as long as it takes (about a minute
 * for a million entries); nobody waits for it.
 */
export async function verifyTrail(services: VerifyServices, options: Options = {}): Promise<Verification> {
  const lines = [...(await services.checkpointFile.lines()), ...(options.moreLines ?? [])];
  const { checkpoints, unreadable } = readCheckpointLines(lines);
  const { signal } = options;
  return driverTransaction(services.database, 'SNAPSHOT', async (connection) => {
    const last = (await findLastBatch(connection))?.lastSequence ?? 0;
    const { progress } = options;
    const trail = await checkTrail(databaseSource(connection), {
      keys: services.keys.known,
      checkpoints,
      signal,
      progress: progress && ((sequence) => progress(sequence, last)),
    });
    const waiting = await findWaiting(connection);
    const finding =
      trail.finding ?? removedFinding(waiting.removed) ?? (await unnotedFinding(connection, signal));
    return {
      ...trail,
      finding,
      whole: finding === null,
      waiting: waiting.count,
      waitingSince: waiting.since,
      checkpoints: checkpoints.length,
      unreadableLines: unreadable,
    };
  });
}

function removedFinding(entryId: string | null): Finding | null {
  if (entryId === null) return null;
  return findingAt('REMOVED', null, 'The entry was removed before it was sealed.', { entryId });
}

/** An entry that is neither sealed nor waits to be was put in past the trigger that notes each. */
async function unnotedFinding(
  connection: Connection,
  signal: AbortSignal | undefined,
): Promise<Finding | null> {
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const { looked, last, unnoted } = await findUnnoted(connection, after, ENTRIES_AT_ONCE);
    if (unnoted !== null)
      return findingAt('INSERTED', null, 'The entry has no seal, and was never noted to be sealed.', {
        entryId: unnoted,
      });
    if (last === null || looked < ENTRIES_AT_ONCE) return null;
    after = last;
  }
}
