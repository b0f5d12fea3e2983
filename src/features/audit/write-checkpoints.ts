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
  /** Undefined if AUDIT_CHECKPOINT_URL is not set. */
  sendCheckpoint: SendCheckpoint | undefined;
  log: { error(details: object, message: string): void };
}

export interface CheckpointWriter {
  /** Write a checkpoint if the trail has grown. Sending it is not awaited; a failed one is sent again next time. */
  write(): Promise<void>;
  waitUntilSent(): Promise<void>;
}

/** The database contradicts what this process saw or what is signed; nothing is signed for it. */
export class TrailContradictionError extends Error {
  constructor(why: string) {
    super(`The audit trail ${why}: run npm run audit:verify`);
    this.name = 'TrailContradictionError';
  }
}

/** Create a checkpoint writer that remembers the last sequence of this process. */
export function createCheckpointWriter(services: CheckpointServices): CheckpointWriter {
  const { database, signer, checkpointFile, sendCheckpoint, log } = services;
  let lastSequence = 0;
  let pendingLine: string | null = null;
  let lastSend: Promise<void> = Promise.resolve();
  let isFailing = false;

  async function send(line: string): Promise<void> {
    if (!sendCheckpoint) return;
    try {
      await sendCheckpoint(line);
      if (pendingLine === line) pendingLine = null;
      isFailing = false;
    } catch (error) {
      const name = error instanceof Error ? error.name : 'Error';
      if (!isFailing) log.error({ error: { name } }, 'audit: AUDIT_CHECKPOINT_URL rejected a checkpoint');
      isFailing = true;
    }
  }

  return {
    async write() {
      const checkpoint = await runDriverTransaction(database, 'SNAPSHOT', (connection) =>
        createSignedCheckpoint(connection, signer),
      );
      if (checkpoint && checkpoint.sequence < lastSequence)
        throw new TrailContradictionError(`is shorter than the ${lastSequence} entries it had`);
      if (checkpoint && checkpoint.sequence > lastSequence) {
        const line = formatCheckpointLine(checkpoint);
        await checkpointFile.append(line);
        lastSequence = checkpoint.sequence;
        pendingLine = line;
      }
      if (pendingLine === null) return;
      const line = pendingLine;
      lastSend = lastSend.then(() => send(line));
    },
    waitUntilSent: () => lastSend,
  };
}

/**
 * Sign a checkpoint of the current trail; null while nothing is sealed.
 * @throws TrailContradictionError if the last batch is not signed by a trusted key
 */
export async function createSignedCheckpoint(
  connection: DriverConnection,
  keys: CheckpointServices['signer'],
): Promise<SignedStatement<AuditCheckpoint> | null> {
  const last = await findLastSignedBatch(connection);
  if (!last) return null;
  const problem = findBatchSignatureProblem(keys.publicKeys, last);
  if (problem) throw new TrailContradictionError(`ends with a batch that cannot be verified (${problem})`);
  const dropped = (await findDroppedRanges(connection)).at(-1)?.lastSequence ?? 0;
  return keys.signCheckpoint({
    sequence: last.lastSequence,
    sealHash: last.lastHash,
    entries: last.lastSequence - dropped,
    at: new Date().toISOString(),
    ...(await getDatabaseState(connection)),
  });
}
