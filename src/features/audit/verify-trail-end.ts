import { findAuditCheckpointSignatureProblem, type PublicKeysById } from './audit-signer.ts';
import { createTrailFinding, type TrailFinding } from './trail-finding.ts';
import type { AuditCheckpoint, SignedAuditStatement } from './trail-format.rules.ts';
import type { AuditTrailSource, SealedAuditEntry } from './trail-source.ts';
import type { TrailVerificationState } from './trail-verification-state.ts';

/** Find missing or surplus entries after the last batch. */
export async function verifyAuditTrailEnd(
  source: AuditTrailSource,
  state: TrailVerificationState,
  next: SealedAuditEntry | undefined,
  more: AsyncIterator<SealedAuditEntry>,
  checkpoints: Map<number, SignedAuditStatement<AuditCheckpoint>[]>,
  keys: PublicKeysById,
): Promise<TrailFinding | null> {
  const laterCheckpoints = [...checkpoints.values()]
    .flat()
    .filter(({ sequence }) => sequence > state.sequence)
    .sort((one, other) => other.sequence - one.sequence);
  const latestValid = laterCheckpoints.find(
    (checkpoint) => findAuditCheckpointSignatureProblem(keys, checkpoint) === null,
  );
  const latestCheckpoint = laterCheckpoints[0];
  if (!latestValid && latestCheckpoint) {
    const why = findAuditCheckpointSignatureProblem(keys, latestCheckpoint);
    return createTrailFinding('SIGNATURE', state.sequence + 1, `A checkpoint is not to be believed: ${why}.`);
  }
  if (next && (!latestValid || latestValid.sequence < next.sequence)) {
    const about = { entryId: next.entryId };
    return createTrailFinding(
      'INSERTED',
      next.sequence,
      'There is a seal here that no signed batch covers.',
      about,
    );
  }
  if (!latestValid) return null;
  let reached = state.sequence;
  for (let entry = next; entry?.sequence === reached + 1; entry = (await more.next()).value) reached += 1;
  if (reached >= latestValid.sequence) {
    const meaning = 'The signed batches at the end are missing; a checkpoint says that they were there.';
    return createTrailFinding('SIGNATURE', state.sequence + 1, meaning, { through: reached });
  }
  return await createTruncationFinding(source, reached + 1, latestValid);
}

/** The trail is shorter than a checkpoint: it was truncated, or the database is an older copy. */
async function createTruncationFinding(
  source: AuditTrailSource,
  sequence: number,
  checkpoint: AuditCheckpoint,
): Promise<TrailFinding> {
  const state = await source.getState();
  const isOlder =
    state !== null &&
    (state.database !== checkpoint.database || BigInt(state.transaction) < BigInt(checkpoint.transaction));
  const prefix = `The checkpoint of ${checkpoint.at} goes on to ${checkpoint.sequence}`;
  const range = { through: checkpoint.sequence };
  return isOlder
    ? createTrailFinding('OLDER_DATABASE', sequence, `${prefix}, and this is an older copy.`, range)
    : createTrailFinding('CUT_OFF', sequence, `${prefix}; the trail ends before.`, range);
}
