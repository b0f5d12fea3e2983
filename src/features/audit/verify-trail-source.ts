import {
  findAuditBatchSignatureProblem,
  findAuditCheckpointSignatureProblem,
  type PublicKeysById,
} from './audit-signer.ts';
import { createTrailFinding, type TrailFinding } from './trail-finding.ts';
import {
  type AuditBatch,
  type AuditCheckpoint,
  GENESIS_AUDIT_SEAL_HASH,
  type SignedAuditStatement,
} from './trail-format.rules.ts';
import type { AuditTrailSource, DroppedAuditRange, SealedAuditEntry } from './trail-source.ts';
import {
  groupAuditCheckpointsBySequence,
  type TrailVerificationState,
  verifyAuditCheckpointsAtSequence,
} from './trail-verification-state.ts';
import { verifyNextAuditEntry } from './verify-entry.ts';
import { verifyAuditTrailEnd } from './verify-trail-end.ts';

export interface TrailVerification {
  finding: TrailFinding | null;
  /** The last verified sequence and its seal. */
  sequence: number;
  sealHash: string;
  /** The last sequence dropped by retention; 0 for none. */
  droppedThrough: number;
  batches: number;
}

interface VerifyTrailSourceOptions {
  keys: PublicKeysById;
  /** External checkpoints, in any order. */
  checkpoints: readonly SignedAuditStatement<AuditCheckpoint>[];
  onProgress?: ((sequence: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Recompute the chain, compare it with batches and checkpoints, and stop at the first invalid entry. Reads in one
 * pass with constant memory.
 * @throws AbortError after `signal`
 */
export async function verifyAuditTrailSource(
  source: AuditTrailSource,
  options: VerifyTrailSourceOptions,
): Promise<TrailVerification> {
  const dropped = await source.listDroppedRanges();
  const last = dropped.at(-1)?.checkpoint;
  const state: TrailVerificationState = {
    sequence: last?.sequence ?? 0,
    hash: last?.sealHash ?? GENESIS_AUDIT_SEAL_HASH,
    lastCheckpointSequence: last?.sequence ?? 0,
  };
  const droppedThrough = state.sequence;
  const checkpoints = groupAuditCheckpointsBySequence(options.checkpoints, droppedThrough);
  const entries = source.streamSealedEntries(droppedThrough)[Symbol.asyncIterator]();
  let batches = 0;

  const finding = await findProblem().finally(() => entries.return?.());
  return { finding, sequence: state.sequence, sealHash: state.hash, droppedThrough, batches };

  async function findProblem(): Promise<TrailFinding | null> {
    const startProblem =
      findDroppedRangeProblem(options.keys, dropped) ??
      verifyAuditCheckpointsAtSequence(state, checkpoints, options.keys);
    if (startProblem) return startProblem;
    let next = await entries.next();
    for await (const batch of source.streamBatches(droppedThrough)) {
      options.signal?.throwIfAborted();
      const problem = findBatchStartProblem(options.keys, batch, state, next.value);
      if (problem) return problem;
      while (state.sequence < batch.lastSequence) {
        const entryProblem = await verifyNextAuditEntry(source, batch, state, next.value);
        if (entryProblem) return entryProblem;
        next = await entries.next();
        const contradiction = verifyAuditCheckpointsAtSequence(state, checkpoints, options.keys);
        if (contradiction) return contradiction;
      }
      if (state.hash !== batch.lastHash)
        return createUnverifiedBatchFinding(batch, state, 'does not lead to the hash that it signs');
      batches += 1;
      options.onProgress?.(state.sequence);
    }
    return verifyAuditTrailEnd(source, state, next.value, entries, checkpoints, options.keys);
  }
}

function findDroppedRangeProblem(
  keys: PublicKeysById,
  ranges: readonly DroppedAuditRange[],
): TrailFinding | null {
  let expected = 1;
  for (const { firstSequence, lastSequence, checkpoint } of ranges) {
    const problem =
      firstSequence === expected && checkpoint.sequence === lastSequence
        ? findAuditCheckpointSignatureProblem(keys, checkpoint)
        : 'the ranges do not follow one another';
    if (problem) {
      const meaning = `What is said to have been dropped up to ${lastSequence} is not proved: ${problem}.`;
      return createTrailFinding('SIGNATURE', expected, meaning, { through: lastSequence });
    }
    expected = lastSequence + 1;
  }
  return null;
}

/** Verify the signature of a batch and that it begins where the previous one ended. */
function findBatchStartProblem(
  keys: PublicKeysById,
  batch: SignedAuditStatement<AuditBatch>,
  state: TrailVerificationState,
  next: SealedAuditEntry | undefined,
): TrailFinding | null {
  const problem = findAuditBatchSignatureProblem(keys, batch);
  if (problem) return createUnverifiedBatchFinding(batch, state, `is not proved: ${problem}`);
  const expected = state.sequence + 1;
  if (batch.firstSequence === expected) return null;
  const through = batch.firstSequence - 1;
  const range = { through };
  if (batch.firstSequence < expected)
    return createUnverifiedBatchFinding(batch, state, 'begins inside the one before');
  return next && next.sequence < batch.firstSequence
    ? createTrailFinding(
        'SIGNATURE',
        expected,
        `The signed batches from ${expected} to ${through} are missing.`,
        range,
      )
    : createTrailFinding(
        'REMOVED',
        expected,
        `The entries from ${expected} to ${through} were removed.`,
        range,
      );
}

function createUnverifiedBatchFinding(
  batch: AuditBatch,
  state: TrailVerificationState,
  why: string,
): TrailFinding {
  const meaning = `The signed batch that ends at ${batch.lastSequence} ${why}.`;
  return createTrailFinding('SIGNATURE', state.sequence + 1, meaning, {
    through: Math.max(batch.lastSequence, state.sequence + 1),
  });
}
