import { findAuditCheckpointSignatureProblem, type PublicKeysById } from './audit-signer.ts';
import { createTrailFinding, type TrailFinding } from './trail-finding.ts';
import type { AuditCheckpoint, SignedAuditStatement } from './trail-format.rules.ts';

export interface TrailVerificationState {
  sequence: number;
  hash: string;
  /** The last sequence that a checkpoint confirms. */
  lastCheckpointSequence: number;
}

/** Group checkpoints by sequence, without those before `after`. */
export function groupAuditCheckpointsBySequence(
  checkpoints: readonly SignedAuditStatement<AuditCheckpoint>[],
  after: number,
) {
  const bySequence = new Map<number, SignedAuditStatement<AuditCheckpoint>[]>();
  for (const checkpoint of checkpoints) {
    if (checkpoint.sequence < after) continue;
    bySequence.set(checkpoint.sequence, [...(bySequence.get(checkpoint.sequence) ?? []), checkpoint]);
  }
  return bySequence;
}

/** Compare the checkpoints of the current sequence with the chain. */
export function verifyAuditCheckpointsAtSequence(
  state: TrailVerificationState,
  checkpoints: Map<number, SignedAuditStatement<AuditCheckpoint>[]>,
  keys: PublicKeysById,
): TrailFinding | null {
  for (const checkpoint of checkpoints.get(state.sequence) ?? []) {
    const problem = findAuditCheckpointSignatureProblem(keys, checkpoint);
    if (problem)
      return createTrailFinding(
        'SIGNATURE',
        state.sequence,
        `A checkpoint of ${checkpoint.at} is not to be believed: ${problem}.`,
      );
    if (checkpoint.sealHash === state.hash) {
      state.lastCheckpointSequence = state.sequence;
      continue;
    }
    const meaning = `The checkpoint of ${checkpoint.at} says another seal for ${state.sequence}: an older state was put back and written on.`;
    return createTrailFinding('OLDER_DATABASE', state.lastCheckpointSequence + 1, meaning, {
      through: state.sequence,
    });
  }
  return null;
}
