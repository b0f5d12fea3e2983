import { createTrailFinding, type TrailFinding } from './trail-finding.ts';
import { type AuditBatch, computeSeal, parseBatchMember } from './trail-format.rules.ts';
import type { SealedAuditEntry, TrailSource } from './trail-source.ts';
import type { TrailVerificationState } from './trail-verification-state.ts';

/** Verify the next sealed entry against its batch and advance the state if it is valid. */
export async function verifyNextEntry(
  source: TrailSource,
  batch: AuditBatch,
  walk: TrailVerificationState,
  found: SealedAuditEntry | undefined,
): Promise<TrailFinding | null> {
  const place = walk.sequence + 1;
  const { entryId, seal } = parseBatchMember(batch, place);
  if (!found) {
    const meaning = `The trail ends here, and a signed batch goes on to ${batch.lastSequence}.`;
    return createTrailFinding('CUT_OFF', place, meaning, { entryId, through: batch.lastSequence });
  }
  const about = { entryId: found.entryId };
  if (found.sequence < place)
    return createTrailFinding(
      'INSERTED',
      found.sequence,
      'A second entry claims a place that is taken.',
      about,
    );
  if (found.sequence > place)
    return createTrailFinding('REMOVED', place, 'The seal of this entry was removed.', { entryId });
  if (found.entryId !== entryId) return await createMismatchFinding(source, place, entryId, found.entryId);
  if (!found.entry)
    return createTrailFinding('REMOVED', place, 'The entry was removed; its seal is still there.', about);
  const hash = computeSeal(walk.hash, place, found.entry);
  if (!hash.startsWith(seal))
    return createTrailFinding('CHANGED', place, 'The entry is not what was sealed at this place.', about);
  if (hash !== found.sealHash)
    return createTrailFinding(
      'CHANGED',
      place,
      'The entry is right, and the seal kept for it was changed.',
      about,
    );
  walk.sequence = place;
  walk.hash = hash;
  return null;
}

async function createMismatchFinding(
  source: TrailSource,
  place: number,
  sealed: string,
  found: string,
): Promise<TrailFinding> {
  if (!(await source.hasEntry(sealed)))
    return createTrailFinding('REMOVED', place, 'The entry sealed at this place was removed.', {
      entryId: sealed,
    });
  if (await source.isInBatch(found))
    return createTrailFinding('REORDERED', place, 'An entry that was sealed at another place stands here.', {
      entryId: found,
    });
  return createTrailFinding('INSERTED', place, 'An entry that was never sealed stands here.', {
    entryId: found,
  });
}
