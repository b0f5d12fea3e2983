import { checkpointProblem, type KnownKeys } from './audit-keys.ts';
import { type Finding, findingAt } from './trail-finding.ts';
import type { Checkpoint, Signed } from './trail-format.rules.ts';

/** How far a check of a trail has come. */
export interface Walk {
  sequence: number;
  hash: string;
  /** The last place for which a checkpoint says the same. */
  agreed: number;
}

/** Checkpoints of one place together, without those of places before. */
export function byPlace(checkpoints: readonly Signed<Checkpoint>[], after: number) {
  const places = new Map<number, Signed<Checkpoint>[]>();
  for (const checkpoint of checkpoints) {
    if (checkpoint.sequence < after) continue;
    places.set(checkpoint.sequence, [...(places.get(checkpoint.sequence) ?? []), checkpoint]);
  }
  return places;
}

/** Whether the checkpoints of the place reached agree with it. */
export function checkpointAt(
  walk: Walk,
  checkpoints: Map<number, Signed<Checkpoint>[]>,
  keys: KnownKeys,
): Finding | null {
  for (const checkpoint of checkpoints.get(walk.sequence) ?? []) {
    const problem = checkpointProblem(keys, checkpoint);
    if (problem)
      return findingAt(
        'SIGNATURE',
        walk.sequence,
        `A checkpoint of ${checkpoint.at} is not to be believed: ${problem}.`,
      );
    if (checkpoint.sealHash === walk.hash) {
      walk.agreed = walk.sequence;
      continue;
    }
    const meaning = `The checkpoint of ${checkpoint.at} says another seal for ${walk.sequence}: an older state was put back and written on.`;
    return findingAt('OLDER_DATABASE', walk.agreed + 1, meaning, { through: walk.sequence });
  }
  return null;
}
