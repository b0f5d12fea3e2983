import type { Database } from '../../platform/database.ts';
import { createPollLoop } from '../../platform/poll-loop.ts';
import type { AuditSigner } from './audit-signer.ts';
import { sealNextAuditBatch } from './seal-batch.ts';
import { type AuditCheckpointServices, createAuditCheckpointWriter } from './write-checkpoints.ts';

/** An entry is sealed within a second of its commit. */
const POLL_INTERVAL_MS = 400;

/** A checkpoint is written after so many entries or milliseconds, whichever comes first. */
const CHECKPOINT_INTERVAL_ENTRIES = 1_000;
const CHECKPOINT_INTERVAL_MS = 60_000;

/** Background task that seals the audit trail; instances take turns by a lock. */
export interface AuditSealer {
  start(): void;
  /** Seal what is left, write a checkpoint, and resolve when this is done or has failed. */
  stop(): Promise<void>;
}

interface AuditSealerServices extends Omit<AuditCheckpointServices, 'keys'> {
  database: Pick<Database, 'pool'>;
  signer: AuditSigner;
  log: { info(details: object, message: string): void; error(details: object, message: string): void };
}

/** Create a stopped sealer. It logs a failure and the recovery once each. */
export function createAuditSealer(services: AuditSealerServices): AuditSealer {
  const { database, signer, log } = services;
  const checkpoints = createAuditCheckpointWriter(services);
  const failures = createFailureLog(log);
  let sealedSinceCheckpoint = 0;
  let nextCheckpointMs = 0;

  async function sealAndCheckpoint(): Promise<boolean> {
    const hasMore = await sealBatch();
    const isDue =
      sealedSinceCheckpoint >= CHECKPOINT_INTERVAL_ENTRIES || performance.now() >= nextCheckpointMs;
    if (isDue) await checkpoint();
    return hasMore;
  }

  async function sealBatch(): Promise<boolean> {
    const result = await failures.watch('sealing', () => sealNextAuditBatch(database, signer));
    sealedSinceCheckpoint += result?.sealed ?? 0;
    return result?.more ?? false;
  }

  async function checkpoint(): Promise<void> {
    await failures.watch('checkpoints', () => checkpoints.write());
    sealedSinceCheckpoint = 0;
    nextCheckpointMs = performance.now() + CHECKPOINT_INTERVAL_MS;
  }

  const loop = createPollLoop({ work: sealAndCheckpoint, pollIntervalMs: POLL_INTERVAL_MS });
  return {
    start: loop.start,
    async stop() {
      if (loop.isStopped) return;
      await loop.stop();
      while (await sealBatch());
      await checkpoint();
      await checkpoints.waitUntilSent();
    },
  };
}

function createFailureLog(log: AuditSealerServices['log']) {
  const failing = new Set<string>();
  return {
    async watch<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> {
      try {
        const result = await work();
        if (failing.delete(what)) log.info({}, `audit: ${what} recovered`);
        return result;
      } catch (error) {
        const isNew = !failing.has(what);
        failing.add(what);
        if (isNew) log.error({ error: toLoggedError(error) }, `audit: ${what} failed and will be retried`);
        return undefined;
      }
    },
  };
}

/** Never log the values of a statement. Not under `err`: its serializer drops the name. */
function toLoggedError(error: unknown): object {
  if (!(error instanceof Error)) return { name: 'Error' };
  const isOurs = error.name === 'TrailContradictionError';
  return {
    name: error.name,
    code: Reflect.get(error, 'code'),
    ...(isOurs ? { message: error.message } : {}),
  };
}
