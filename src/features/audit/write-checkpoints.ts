import type { Database } from '../../platform/database.ts';
import { type PgConnection, runPgTransaction } from '../../platform/driver-transaction.ts';
import type {
  AuditCheckpointFile,
  AuditCheckpointSender,
} from '../../providers/checkpoints/checkpoints.port.ts';
import { type AuditSigner, findAuditBatchSignatureProblem } from './audit-signer.ts';
import { formatAuditCheckpointLine } from './checkpoint-line.ts';
import {
  findLastSignedAuditBatch,
  getDatabaseIdentityAndTransaction,
  listDroppedAuditRanges,
} from './trail.repository.ts';
import type { AuditCheckpoint, SignedAuditStatement } from './trail-format.rules.ts';

export interface AuditCheckpointServices {
  database: Pick<Database, 'pool'>;
  signer: Pick<AuditSigner, 'signCheckpoint' | 'publicKeys'>;
  checkpointFile: AuditCheckpointFile;
  /** Undefined if AUDIT_CHECKPOINT_URL is not set. */
  sendCheckpoint: AuditCheckpointSender | undefined;
  log: { error(details: object, message: string): void };
}

export interface AuditCheckpointWriter {
  /** Write a checkpoint if the trail has grown. Sending it is not awaited; after a failure the newest is sent next time. */
  write(): Promise<void>;
  waitUntilSent(): Promise<void>;
}

/** The database contradicts what this process saw or what is signed; nothing is signed for it. */
export class TrailContradictionError extends Error {
  constructor(why: string) {
    super(`The audit trail ${why}: run npm run audit -- verify`);
    this.name = 'TrailContradictionError';
  }
}

/** Create a checkpoint writer that remembers the last sequence of this process. */
export function createAuditCheckpointWriter(services: AuditCheckpointServices): AuditCheckpointWriter {
  const { database, signer, checkpointFile, sendCheckpoint, log } = services;
  let lastSequence = 0;
  let pendingLine: string | null = null;
  let sending: Promise<void> | null = null;
  let isFailing = false;

  /** Send the newest line until none is left or one fails. A slow server gets fewer lines, and none waits in a queue. */
  async function sendPending(send: AuditCheckpointSender): Promise<void> {
    try {
      while (pendingLine !== null) {
        const line: string = pendingLine;
        await send(line);
        if (pendingLine === line) pendingLine = null;
        isFailing = false;
      }
    } catch (error) {
      const name = error instanceof Error ? error.name : 'Error';
      if (!isFailing) log.error({ error: { name } }, 'audit: AUDIT_CHECKPOINT_URL rejected a checkpoint');
      isFailing = true;
    }
  }

  return {
    async write() {
      const checkpoint = await runPgTransaction(database, 'SNAPSHOT', (connection) =>
        createSignedAuditCheckpoint(connection, signer),
      );
      if (checkpoint && checkpoint.sequence < lastSequence)
        throw new TrailContradictionError(`is shorter than the ${lastSequence} entries it had`);
      if (checkpoint && checkpoint.sequence > lastSequence) {
        const line = formatAuditCheckpointLine(checkpoint);
        await checkpointFile.append(line);
        lastSequence = checkpoint.sequence;
        pendingLine = line;
      }
      if (!sendCheckpoint || pendingLine === null) return;
      sending ??= sendPending(sendCheckpoint).finally(() => {
        sending = null;
      });
    },
    waitUntilSent: async () => (await sending) ?? undefined,
  };
}

/**
 * Sign a checkpoint of the current trail; null while nothing is sealed.
 * @throws TrailContradictionError if the last batch is not signed by a trusted key
 */
export async function createSignedAuditCheckpoint(
  connection: PgConnection,
  keys: AuditCheckpointServices['signer'],
): Promise<SignedAuditStatement<AuditCheckpoint> | null> {
  const last = await findLastSignedAuditBatch(connection);
  if (!last) return null;
  const problem = findAuditBatchSignatureProblem(keys.publicKeys, last);
  if (problem) throw new TrailContradictionError(`ends with a batch that cannot be verified (${problem})`);
  const dropped = (await listDroppedAuditRanges(connection)).at(-1)?.lastSequence ?? 0;
  return keys.signCheckpoint({
    sequence: last.lastSequence,
    sealHash: last.lastHash,
    entries: last.lastSequence - dropped,
    at: new Date().toISOString(),
    ...(await getDatabaseIdentityAndTransaction(connection)),
  });
}
