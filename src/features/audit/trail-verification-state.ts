import { findCheckpointSignatureProblem, type PublicKeysById } from './audit-signer.ts';
import { createTrailFinding, type TrailFinding } from './trail-finding.ts';
import type { AuditCheckpoint, SignedStatement } from './trail-format.rules.ts';

export interface TrailVerificationState {
  sequence: number;
  hash: string;
  /** The last sequence that a checkpoint confirms. */
  lastCheckpointSequence: number;
}

/** Group checkpoints by sequence, without those before `after`. */
export function groupCheckpointsBySequence(
  checkpoints: readonly SignedStatement<AuditCheckpoint>[],
  after: number,
) {
  const places = new Map<number, SignedStatement<AuditCheckpoint>[]>();
  for (const checkpoint of checkpoints) {
    if (checkpoint.sequence < after) continue;
    places.set(checkpoint.sequence, [...(places.get(checkpoint.sequence) ?? []), checkpoint]);
  }
  return places;
}

/** Compare the checkpoints of the current sequence with the chain. */
export function verifyCheckpointsAtSequence(
  walk: TrailVerificationState,
  checkpoints: Map<number, SignedStatement<AuditCheckpoint>[]>,
  keys: PublicKeysById,
): TrailFinding | null {
  for (const checkpoint of checkpoints.get(walk.sequence) ?? []) {
    const problem = findCheckpointSignatureProblem(keys, checkpoint);
    if (problem)
      return createTrailFinding(
        'SIGNATURE',
        walk.sequence,
        `A checkpoint of ${checkpoint.at} is not to be believed: ${problem}.`,
      );
    if (checkpoint.sealHash === walk.hash) {
      walk.lastCheckpointSequence = walk.sequence;
      continue;
    }
    const meaning = `The checkpoint of ${checkpoint.at} says another seal for ${walk.sequence}: an older state was put back and written on.`;
    return createTrailFinding('OLDER_DATABASE', walk.lastCheckpointSequence + 1, meaning, {
      through: walk.sequence,
    });
  }
  return null;
}
