import type { Database } from '../../platform/database.ts';
import { runPgTransaction } from '../../platform/driver-transaction.ts';
import type { AuditSigner } from './audit-signer.ts';
import {
  findUnsealedAuditEntries,
  getAuditSealChainEnd,
  hasUnsealedAuditEntries,
  insertSealedAuditBatch,
  tryLockAuditSealer,
} from './seal.repository.ts';
import {
  type AuditTrailEntry,
  computeAuditSeal,
  formatAuditBatchMember,
  GENESIS_AUDIT_SEAL_HASH,
} from './trail-format.rules.ts';

/** Few enough that hashing does not block the event loop. */
const SEAL_BATCH_SIZE = 500;

/** Seal committed entries as one signed batch. Returns immediately if another instance is sealing. */
export async function sealNextAuditBatch(
  database: Pick<Database, 'pool'>,
  keys: Pick<AuditSigner, 'signBatch'>,
): Promise<{ sealed: number; more: boolean }> {
  if (!(await hasUnsealedAuditEntries(database.pool))) return { sealed: 0, more: false };
  return runPgTransaction(database, 'WRITE', async (connection) => {
    if (!(await tryLockAuditSealer(connection))) return { sealed: 0, more: false };
    const end = await getAuditSealChainEnd(connection);
    const entries = sortByTime(await findUnsealedAuditEntries(connection, SEAL_BATCH_SIZE));
    if (entries.length === 0) return { sealed: 0, more: false };
    const seals = computeSealChain(end.sequence, end.hash ?? GENESIS_AUDIT_SEAL_HASH, entries);
    const batch = keys.signBatch({
      firstSequence: end.sequence + 1,
      lastSequence: end.sequence + entries.length,
      lastHash: seals.at(-1)?.seal ?? '',
      members: seals.map(({ entryId, seal }) => formatAuditBatchMember(entryId, seal)).join(''),
      signedAt: end.now,
    });
    await insertSealedAuditBatch(connection, batch, seals);
    return { sealed: entries.length, more: entries.length === SEAL_BATCH_SIZE };
  });
}

function computeSealChain(after: number, hash: string, entries: readonly AuditTrailEntry[]) {
  let seal = hash;
  return entries.map((entry, index) => {
    seal = computeAuditSeal(seal, after + 1 + index, entry);
    return { entryId: entry.id, seal };
  });
}

/** Any order is valid; this one is readable. */
function sortByTime(entries: readonly AuditTrailEntry[]): AuditTrailEntry[] {
  const keyed = entries.map((entry) => ({ entry, key: entry.createdAt + entry.id }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ entry }) => entry);
}
