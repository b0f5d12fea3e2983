import {
  type AuditBatch,
  type AuditTrailEntry,
  computeAuditSeal,
  formatAuditBatchMember,
  GENESIS_AUDIT_SEAL_HASH,
} from '../../../src/features/audit/trail-format.rules.ts';
import type { AuditTrailSource, SealedAuditEntry } from '../../../src/features/audit/trail-source.ts';
import type { TrailVerificationState } from '../../../src/features/audit/trail-verification-state.ts';
import { verifyNextAuditEntry } from '../../../src/features/audit/verify-entry.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { t } from '../../tap.ts';

function createEntry(): AuditTrailEntry {
  return {
    id: generateId(),
    action: 'QRCODE_UPDATED',
    severity: 'LOW',
    resourceType: 'QRCODE',
    resourceId: null,
    actorReference: null,
    subjectReference: null,
    outcome: 'SUCCESS',
    operation: 'o',
    ipHash: null,
    userAgentHash: null,
    requestId: 'q',
    changes: [],
    createdAt: '2026-11-01T00:00:00.000Z',
  };
}

/** Seal three entries in one batch. */
function createTrail(): {
  batch: AuditBatch;
  sealed: [SealedAuditEntry, SealedAuditEntry, SealedAuditEntry];
} {
  let previous = GENESIS_AUDIT_SEAL_HASH;
  const seal = (sequence: number): SealedAuditEntry => {
    const entry = createEntry();
    previous = computeAuditSeal(previous, sequence, entry);
    return { sequence, entryId: entry.id, sealHash: previous, entry };
  };
  const sealed: [SealedAuditEntry, SealedAuditEntry, SealedAuditEntry] = [seal(1), seal(2), seal(3)];
  const members = sealed.map(({ entryId, sealHash }) => formatAuditBatchMember(entryId, sealHash)).join('');
  return {
    batch: { firstSequence: 1, lastSequence: 3, lastHash: previous, members, signedAt: '' },
    sealed,
  };
}

t.test('verification says what happened to an entry', async (t) => {
  const { batch, sealed } = createTrail();
  const [first, second, third] = sealed;
  const others = [first, third].map(({ entryId }) => entryId);
  /** Verify the place of the second entry. */
  const verify = async (found: SealedAuditEntry | undefined, isSealedEntryKept = true) => {
    const source = {
      hasEntry: async () => isSealedEntryKept,
      isInBatch: async (id: string) => others.includes(id),
    } as unknown as AuditTrailSource;
    const state = { sequence: 1, hash: first.sealHash } as TrailVerificationState;
    const finding = await verifyNextAuditEntry(source, batch, state, found);
    t.equal(state.sequence, finding ? 1 : 2, 'goes on after a valid entry only');
    return finding && `${finding.kind} ${finding.sequence} ${finding.entryId}`;
  };
  const entry = second.entry ?? createEntry();
  const stranger = { ...createEntry(), id: generateId() };
  t.equal(await verify(second), null);
  t.equal(await verify(undefined), `CUT_OFF 2 ${second.entryId}`);
  t.equal(await verify(third), `REMOVED 2 ${second.entryId}`, 'with its seal');
  t.equal(await verify({ ...second, entry: null }), `REMOVED 2 ${second.entryId}`, 'without its seal');
  t.equal(await verify(first), `INSERTED 1 ${first.entryId}`);
  t.equal(
    await verify({ ...second, entryId: stranger.id, entry: stranger }),
    `INSERTED 2 ${stranger.id}`,
    'never sealed',
  );
  t.equal(
    await verify({ ...second, entryId: stranger.id, entry: stranger }, false),
    `REMOVED 2 ${second.entryId}`,
    'in its place',
  );
  t.equal(await verify({ ...third, sequence: 2 }), `REORDERED 2 ${third.entryId}`);
  t.equal(
    await verify({ ...second, entry: { ...entry, outcome: 'DENIED' } }),
    `CHANGED 2 ${second.entryId}`,
    'the entry',
  );
  const forged = { ...entry, outcome: 'DENIED' };
  t.equal(
    await verify({ ...second, entry: forged, sealHash: computeAuditSeal(first.sealHash, 2, forged) }),
    `CHANGED 2 ${second.entryId}`,
    'the entry with its seal',
  );
  t.equal(await verify({ ...second, sealHash: first.sealHash }), `CHANGED 2 ${second.entryId}`, 'its seal');
});
