import {
  type AuditTrailEntry,
  computeAuditSeal,
  encodeAuditBatchMessage,
  encodeAuditCheckpointMessage,
  GENESIS_AUDIT_SEAL_HASH,
} from '../../../src/features/audit/trail-format.rules.ts';
import { t } from '../../tap.ts';

const ENTRY: AuditTrailEntry = {
  id: '0'.repeat(24),
  action: 'QRCODE_UPDATED',
  severity: 'LOW',
  resourceType: 'QRCODE',
  resourceId: 'r',
  actorReference: 'a',
  subjectReference: 's',
  outcome: 'SUCCESS',
  operation: 'o',
  ipHash: 'i',
  userAgentHash: 'u',
  requestId: 'q',
  changes: ['title'],
  createdAt: '2026-11-01T00:00:00.000Z',
};
const BATCH = {
  firstSequence: 1,
  lastSequence: 2,
  lastHash: 'ab',
  members: 'cd',
  signedAt: '2026-11-01T00:00:00.000Z',
  keyId: 'k',
};
const CHECKPOINT = {
  sequence: 1,
  sealHash: 'ab',
  entries: 1,
  at: '2026-11-01T00:00:00.000Z',
  database: 'd',
  transaction: '7',
  keyId: 'k',
};

/** Each field once with another value. */
function changeEach<Item extends object>(item: Item): [string, Item][] {
  return Object.entries(item).map(([name, value]) => {
    const other = Array.isArray(value)
      ? [...value, 'other']
      : typeof value === 'number'
        ? value + 1
        : 'other';
    return [name, { ...item, [name]: other }];
  });
}

t.test('a seal covers the seal before it, its place and every field of the entry', async (t) => {
  const seal = computeAuditSeal(GENESIS_AUDIT_SEAL_HASH, 1, ENTRY);
  t.match(seal, /^[0-9a-f]{64}$/);
  t.not(computeAuditSeal('11'.repeat(32), 1, ENTRY), seal, 'previous');
  t.not(computeAuditSeal(GENESIS_AUDIT_SEAL_HASH, 2, ENTRY), seal, 'sequence');
  for (const [name, changed] of changeEach(ENTRY))
    t.not(computeAuditSeal(GENESIS_AUDIT_SEAL_HASH, 1, changed), seal, name);
  const { actorReference, subjectReference, ...rest } = ENTRY;
  const swapped = { ...rest, actorReference: subjectReference, subjectReference: actorReference };
  t.not(computeAuditSeal(GENESIS_AUDIT_SEAL_HASH, 1, swapped), seal, 'values cannot change places');
});

t.test('signatures of batches and checkpoints cover every field', async (t) => {
  for (const [name, changed] of changeEach(BATCH))
    t.notSame(encodeAuditBatchMessage(changed), encodeAuditBatchMessage(BATCH), name);
  for (const [name, changed] of changeEach(CHECKPOINT))
    t.notSame(encodeAuditCheckpointMessage(changed), encodeAuditCheckpointMessage(CHECKPOINT), name);
});
