import { batchProblem, checkpointProblem, type KnownKeys } from './audit-keys.ts';
import { type Finding, findingAt } from './trail-finding.ts';
import {
  type Batch,
  type Checkpoint,
  FIRST_HASH,
  memberAt,
  type Signed,
  sealOf,
} from './trail-format.rules.ts';
import type { DroppedRange, SealedEntry, TrailSource } from './trail-source.ts';

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

/** How far the check has come. */
interface Walk {
  sequence: number;
  hash: string;
  /** The last place for which a checkpoint says the same. */
  agreed: number;
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

function byPlace(checkpoints: readonly Signed<Checkpoint>[], after: number) {
  const places = new Map<number, Signed<Checkpoint>[]>();
  for (const checkpoint of checkpoints) {
    if (checkpoint.sequence < after) continue;
    places.set(checkpoint.sequence, [...(places.get(checkpoint.sequence) ?? []), checkpoint]);
  }
  return places;
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

/** Whether the checkpoints of the place reached agree with it. */
function checkpointAt(
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

/** Compares the next sealed entry with what the batch says of the next place, and goes there when they agree. */
async function entryProblem(
  source: TrailSource,
  batch: Batch,
  walk: Walk,
  found: SealedEntry | undefined,
): Promise<Finding | null> {
  const place = walk.sequence + 1;
  const { entryId, seal } = memberAt(batch, place);
  if (!found) {
    const meaning = `The trail ends here, and a signed batch goes on to ${batch.lastSequence}.`;
    return findingAt('CUT_OFF', place, meaning, { entryId, through: batch.lastSequence });
  }
  const about = { entryId: found.entryId };
  if (found.sequence < place)
    return findingAt('INSERTED', found.sequence, 'A second entry claims a place that is taken.', about);
  if (found.sequence > place)
    return findingAt('REMOVED', place, 'The seal of this entry was removed.', { entryId });
  if (found.entryId !== entryId) return await otherEntry(source, place, entryId, found.entryId);
  if (!found.entry)
    return findingAt('REMOVED', place, 'The entry was removed; its seal is still there.', about);
  const hash = sealOf(walk.hash, place, found.entry);
  if (!hash.startsWith(seal))
    return findingAt('CHANGED', place, 'The entry is not what was sealed at this place.', about);
  if (hash !== found.sealHash)
    return findingAt('CHANGED', place, 'The entry is right, and the seal kept for it was changed.', about);
  walk.sequence = place;
  walk.hash = hash;
  return null;
}

/** Another entry stands at a place than the one that was sealed there. */
async function otherEntry(
  source: TrailSource,
  place: number,
  sealed: string,
  found: string,
): Promise<Finding> {
  if (!(await source.hasEntry(sealed)))
    return findingAt('REMOVED', place, 'The entry sealed at this place was removed.', { entryId: sealed });
  if (await source.isMember(found))
    return findingAt('REORDERED', place, 'An entry that was sealed at another place stands here.', {
      entryId: found,
    });
  return findingAt('INSERTED', place, 'An entry that was never sealed stands here.', { entryId: found });
}

/** What the end of the trail lacks, or has too much. */
async function endProblem(
  source: TrailSource,
  walk: Walk,
  next: SealedEntry | undefined,
  more: AsyncIterator<SealedEntry>,
  checkpoints: Map<number, Signed<Checkpoint>[]>,
  keys: KnownKeys,
): Promise<Finding | null> {
  const ahead = [...checkpoints.values()]
    .flat()
    .filter(({ sequence }) => sequence > walk.sequence)
    .sort((one, other) => other.sequence - one.sequence);
  const farthest = ahead.find((checkpoint) => checkpointProblem(keys, checkpoint) === null);
  const doubtful = ahead[0];
  if (!farthest && doubtful) {
    const why = checkpointProblem(keys, doubtful);
    return findingAt('SIGNATURE', walk.sequence + 1, `A checkpoint is not to be believed: ${why}.`);
  }
  if (next && (!farthest || farthest.sequence < next.sequence)) {
    const about = { entryId: next.entryId };
    return findingAt('INSERTED', next.sequence, 'There is a seal here that no signed batch covers.', about);
  }
  if (!farthest) return null;
  let reached = walk.sequence;
  for (let entry = next; entry?.sequence === reached + 1; entry = (await more.next()).value) reached += 1;
  if (reached >= farthest.sequence) {
    const meaning = 'The signed batches at the end are missing; a checkpoint says that they were there.';
    return findingAt('SIGNATURE', walk.sequence + 1, meaning, { through: reached });
  }
  return await behind(source, reached + 1, farthest);
}

/** The trail is shorter than a checkpoint says: it was cut off, or it is an older copy as a whole. */
async function behind(source: TrailSource, place: number, checkpoint: Checkpoint): Promise<Finding> {
  const state = await source.state();
  const isOlder =
    state !== null &&
    (state.database !== checkpoint.database || BigInt(state.transaction) < BigInt(checkpoint.transaction));
  const said = `The checkpoint of ${checkpoint.at} goes on to ${checkpoint.sequence}`;
  const range = { through: checkpoint.sequence };
  return isOlder
    ? findingAt('OLDER_DATABASE', place, `${said}, and this is an older copy of the database.`, range)
    : findingAt('CUT_OFF', place, `${said}; the trail ends before.`, range);
}
