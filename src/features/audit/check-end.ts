import { checkpointProblem, type KnownKeys } from './audit-keys.ts';
import { type Finding, findingAt } from './trail-finding.ts';
import type { Checkpoint, Signed } from './trail-format.rules.ts';
import type { SealedEntry, TrailSource } from './trail-source.ts';
import type { Walk } from './trail-walk.ts';

/** What the end of the trail lacks, or has too much. */
export async function endProblem(
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
    ? findingAt('OLDER_DATABASE', place, `${said}, and this is an older copy.`, range)
    : findingAt('CUT_OFF', place, `${said}; the trail ends before.`, range);
}
