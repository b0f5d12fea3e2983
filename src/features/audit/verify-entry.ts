import { createTrailFinding, type TrailFinding } from './trail-finding.ts';
import { type AuditBatch, computeAuditSeal, parseAuditBatchMember } from './trail-format.rules.ts';
import type { AuditTrailSource, SealedAuditEntry } from './trail-source.ts';
import type { TrailVerificationState } from './trail-verification-state.ts';

/** Verify the next sealed entry against its batch and advance the state if it is valid. */
export async function verifyNextAuditEntry(
  source: AuditTrailSource,
  batch: AuditBatch,
  state: TrailVerificationState,
  found: SealedAuditEntry | undefined,
): Promise<TrailFinding | null> {
  const sequence = state.sequence + 1;
  const { entryId, seal } = parseAuditBatchMember(batch, sequence);
  if (!found) {
    const meaning = `The trail ends here, and a signed batch goes on to ${batch.lastSequence}.`;
    return createTrailFinding('CUT_OFF', sequence, meaning, { entryId, through: batch.lastSequence });
  }
  const details = { entryId: found.entryId };
  if (found.sequence < sequence)
    return createTrailFinding(
      'INSERTED',
      found.sequence,
      'A second entry claims a place that is taken.',
      details,
    );
  if (found.sequence > sequence)
    return createTrailFinding('REMOVED', sequence, 'The seal of this entry was removed.', { entryId });
  if (found.entryId !== entryId) return await createMismatchFinding(source, sequence, entryId, found.entryId);
  if (!found.entry)
    return createTrailFinding(
      'REMOVED',
      sequence,
      'The entry was removed; its seal is still there.',
      details,
    );
  const hash = computeAuditSeal(state.hash, sequence, found.entry);
  if (!hash.startsWith(seal))
    return createTrailFinding(
      'CHANGED',
      sequence,
      'The entry is not what was sealed at this place.',
      details,
    );
  if (hash !== found.sealHash)
    return createTrailFinding(
      'CHANGED',
      sequence,
      'The entry is right, and the seal kept for it was changed.',
      details,
    );
  state.sequence = sequence;
  state.hash = hash;
  return null;
}

async function createMismatchFinding(
  source: AuditTrailSource,
  sequence: number,
  sealed: string,
  found: string,
): Promise<TrailFinding> {
  if (!(await source.hasEntry(sealed)))
    return createTrailFinding('REMOVED', sequence, 'The entry sealed at this sequence number was removed.', {
      entryId: sealed,
    });
  if (await source.isInBatch(found))
    return createTrailFinding(
      'REORDERED',
      sequence,
      'The entry at this sequence number was sealed at another one.',
      {
        entryId: found,
      },
    );
  return createTrailFinding('INSERTED', sequence, 'The entry at this sequence number was never sealed.', {
    entryId: found,
  });
}
