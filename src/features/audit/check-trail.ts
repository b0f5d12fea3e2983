import { batchProblem, checkpointProblem, type KnownKeys } from './audit-keys.ts';
import { endProblem } from './check-end.ts';
import { entryProblem } from './check-entry.ts';
import { type Finding, findingAt } from './trail-finding.ts';
import { type Batch, type Checkpoint, FIRST_HASH, type Signed } from './trail-format.rules.ts';
import type { DroppedRange, SealedEntry, TrailSource } from './trail-source.ts';
import { byPlace, checkpointAt, type Walk } from './trail-walk.ts';

/** How far a trail is proved. */
export interface CheckedTrail {
  /** The first entry that is wrong; null when none is. */
  finding: Finding | null;
  /** The last place up to which everything is proved, and its seal. */
  sequence: number;
  sealHash: string;
  /** The last place that was dropped because of its age; 0 for none. */
  droppedThrough: number;
  batches: number;
}

interface Options {
  keys: KnownKeys;
  /** From outside the database, in any order. */
  checkpoints: readonly Signed<Checkpoint>[];
  /** Told the place reached, now and then. */
  progress?: ((sequence: number) => void) | undefined;
  /** Ends the check with an AbortError. */
  signal?: AbortSignal | undefined;
}

/**
 * Recomputes the chain of a trail from its entries, compares it with what batches and checkpoints sign, and stops at
 * the first entry that does not fit. Reads in one pass; memory does not grow with the trail.
 */
export async function checkTrail(source: TrailSource, options: Options): Promise<CheckedTrail> {
  const dropped = await source.droppedRanges();
  const last = dropped.at(-1)?.checkpoint;
  const walk: Walk = {
    sequence: last?.sequence ?? 0,
    hash: last?.sealHash ?? FIRST_HASH,
    agreed: last?.sequence ?? 0,
  };
  const droppedThrough = walk.sequence;
  const checkpoints = byPlace(options.checkpoints, droppedThrough);
  const entries = source.sealedEntries(droppedThrough)[Symbol.asyncIterator]();
  let batches = 0;

  const finding = await find().finally(() => entries.return?.());
  return { finding, sequence: walk.sequence, sealHash: walk.hash, droppedThrough, batches };

  async function find(): Promise<Finding | null> {
    const startProblem =
      droppedProblem(options.keys, dropped) ?? checkpointAt(walk, checkpoints, options.keys);
    if (startProblem) return startProblem;
    let next = await entries.next();
    for await (const batch of source.batches(droppedThrough)) {
      options.signal?.throwIfAborted();
      const problem = batchStartProblem(options.keys, batch, walk, next.value);
      if (problem) return problem;
      while (walk.sequence < batch.lastSequence) {
        const wrong = await entryProblem(source, batch, walk, next.value);
        if (wrong) return wrong;
        next = await entries.next();
        const contradiction = checkpointAt(walk, checkpoints, options.keys);
        if (contradiction) return contradiction;
      }
      if (walk.hash !== batch.lastHash)
        return unproved(batch, walk, 'does not lead to the hash that it signs');
      batches += 1;
      options.progress?.(walk.sequence);
    }
    return endProblem(source, walk, next.value, entries, checkpoints, options.keys);
  }
}

function droppedProblem(keys: KnownKeys, ranges: readonly DroppedRange[]): Finding | null {
  let expected = 1;
  for (const { firstSequence, lastSequence, checkpoint } of ranges) {
    const problem =
      firstSequence === expected && checkpoint.sequence === lastSequence
        ? checkpointProblem(keys, checkpoint)
        : 'the ranges do not follow one another';
    if (problem) {
      const meaning = `What is said to have been dropped up to ${lastSequence} is not proved: ${problem}.`;
      return findingAt('SIGNATURE', expected, meaning, { through: lastSequence });
    }
    expected = lastSequence + 1;
  }
  return null;
}

/** Whether a batch is signed and begins where the one before ended. */
function batchStartProblem(
  keys: KnownKeys,
  batch: Signed<Batch>,
  walk: Walk,
  next: SealedEntry | undefined,
): Finding | null {
  const problem = batchProblem(keys, batch);
  if (problem) return unproved(batch, walk, `is not proved: ${problem}`);
  const expected = walk.sequence + 1;
  if (batch.firstSequence === expected) return null;
  const through = batch.firstSequence - 1;
  const range = { through };
  if (batch.firstSequence < expected) return unproved(batch, walk, 'begins inside the one before');
  return next && next.sequence < batch.firstSequence
    ? findingAt(
        'SIGNATURE',
        expected,
        `The signed batches from ${expected} to ${through} are missing.`,
        range,
      )
    : findingAt('REMOVED', expected, `The entries from ${expected} to ${through} were removed.`, range);
}

function unproved(batch: Batch, walk: Walk, why: string): Finding {
  const meaning = `The signed batch that ends at ${batch.lastSequence} ${why}.`;
  return findingAt('SIGNATURE', walk.sequence + 1, meaning, {
    through: Math.max(batch.lastSequence, walk.sequence + 1),
  });
}
