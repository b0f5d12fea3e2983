import type { Database } from '../../platform/database.ts';
import { type DriverConnection, runDriverTransaction } from '../../platform/driver-transaction.ts';
import type { CheckpointFile, SendCheckpoint } from '../../providers/checkpoints/checkpoints.port.ts';
import { type AuditSigner, findBatchSignatureProblem } from './audit-signer.ts';
import { formatCheckpointLine } from './checkpoint-line.ts';
import { findDroppedRanges, findLastSignedBatch, getDatabaseState } from './trail.repository.ts';
import type { AuditCheckpoint, SignedStatement } from './trail-format.rules.ts';

export interface CheckpointServices {
  database: Pick<Database, 'pool'>;
  signer: Pick<AuditSigner, 'signCheckpoint' | 'publicKeys'>;
  checkpointFile: CheckpointFile;
  /** Undefined where AUDIT_CHECKPOINT_URL is not set. */
  sendCheckpoint: SendCheckpoint | undefined;
  log: { error(details: object, message: string): void };
}

/** Writes checkpoints of the trail outside the database. */
export interface CheckpointWriter {
  /**
   * Writes one where the trail is longer than at the last one. Rejects when it could not be read or
   * written; sending is not waited for, and what was not taken is sent again with the next one.
   */
  write(): Promise<void>;
  /** Resolves when nothing is being sent any more. */
  waitUntilSent(): Promise<void>;
}

/** The trail in the database contradicts what this process saw or what is signed: nothing is signed for it. */
export class TrailContradictionError extends Error {
  constructor(why: string) {
    super(`The audit trail ${why}: run npm run audit:verify`);
    this.name = 'TrailContradictionError';
  }
}

/** Checkpoints of one process, which remembers the last one. */
export function createCheckpointWriter(services: CheckpointServices): CheckpointWriter {
  const { database, signer, checkpointFile, sendCheckpoint, log } = services;
  let written = 0;
  let unsent: string | null = null;
  let sending: Promise<void> = Promise.resolve();
  let failing = false;

  async function send(line: string): Promise<void> {
    if (!sendCheckpoint) return;
    try {
      await sendCheckpoint(line);
      if (unsent === line) unsent = null;
      failing = false;
    } catch (error) {
      const name = error instanceof Error ? error.name : 'Error';
      if (!failing)
        log.error({ error: { name } }, 'audit: a checkpoint was not taken by AUDIT_CHECKPOINT_URL');
      failing = true;
    }
  }

  return {
    async write() {
      const checkpoint = await runDriverTransaction(database, 'SNAPSHOT', (connection) =>
        createSignedCheckpoint(connection, signer),
      );
      if (checkpoint && checkpoint.sequence < written)
        throw new TrailContradictionError(`is shorter than the ${written} entries it had`);
      if (checkpoint && checkpoint.sequence > written) {
        const line = formatCheckpointLine(checkpoint);
        await checkpointFile.append(line);
        written = checkpoint.sequence;
        unsent = line;
      }
      if (unsent === null) return;
      const line = unsent;
      sending = sending.then(() => send(line));
    },
    waitUntilSent: () => sending,
  };
}

/**
 * A signed checkpoint of the trail as it is now; null while nothing is sealed. Throws TrailContradictionError
 * where the end of the trail is not signed by a known key.
 */
export async function createSignedCheckpoint(
  connection: DriverConnection,
  keys: CheckpointServices['signer'],
): Promise<SignedStatement<AuditCheckpoint> | null> {
  const last = await findLastSignedBatch(connection);
  if (!last) return null;
  const problem = findBatchSignatureProblem(keys.publicKeys, last);
  if (problem) throw new TrailContradictionError(`ends with a batch that is not proved (${problem})`);
  const dropped = (await findDroppedRanges(connection)).at(-1)?.lastSequence ?? 0;
  return keys.signCheckpoint({
    sequence: last.lastSequence,
    sealHash: last.lastHash,
    entries: last.lastSequence - dropped,
    at: new Date().toISOString(),
    ...(await getDatabaseState(connection)),
  });
}
