import { type Finding, findingAt } from './trail-finding.ts';
import { type Batch, memberAt, sealOf } from './trail-format.rules.ts';
import type { SealedEntry, TrailSource } from './trail-source.ts';
import type { Walk } from './trail-walk.ts';

/** Compares the next sealed entry with what the batch says of the next place, and goes there when they agree. */
export async function entryProblem(
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
