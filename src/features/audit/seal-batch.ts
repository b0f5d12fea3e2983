import type { Database } from '../../platform/database.ts';
import { runDriverTransaction } from '../../platform/driver-transaction.ts';
import type { AuditSigner } from './audit-signer.ts';
import {
  findUnsealedEntries,
  getChainEnd,
  hasUnsealedEntries,
  insertSealedBatch,
  tryLockSealer,
} from './seal.repository.ts';
import { computeSeal, formatBatchMember, GENESIS_SEAL_HASH, type TrailEntry } from './trail-format.rules.ts';

/** Few enough that hashing does not block the event loop. */
const SEAL_BATCH_SIZE = 500;

/** Seal committed entries as one signed batch. Returns immediately if another instance is sealing. */
export async function sealNextBatch(
  database: Pick<Database, 'pool'>,
  keys: Pick<AuditSigner, 'signBatch'>,
): Promise<{ sealed: number; more: boolean }> {
  if (!(await hasUnsealedEntries(database.pool))) return { sealed: 0, more: false };
  return runDriverTransaction(database, 'WRITE', async (connection) => {
    if (!(await tryLockSealer(connection))) return { sealed: 0, more: false };
    const end = await getChainEnd(connection);
    const entries = sortByTime(await findUnsealedEntries(connection, SEAL_BATCH_SIZE));
    if (entries.length === 0) return { sealed: 0, more: false };
    const seals = computeSealChain(end.sequence, end.hash ?? GENESIS_SEAL_HASH, entries);
    const batch = keys.signBatch({
      firstSequence: end.sequence + 1,
      lastSequence: end.sequence + entries.length,
      lastHash: seals.at(-1)?.seal ?? '',
      members: seals.map(({ entryId, seal }) => formatBatchMember(entryId, seal)).join(''),
      signedAt: end.now,
    });
    await insertSealedBatch(connection, batch, seals);
    return { sealed: entries.length, more: entries.length === SEAL_BATCH_SIZE };
  });
}

function computeSealChain(after: number, hash: string, entries: readonly TrailEntry[]) {
  let seal = hash;
  return entries.map((entry, index) => {
    seal = computeSeal(seal, after + 1 + index, entry);
    return { entryId: entry.id, seal };
  });
}

/** Any order is valid; this one is readable. */
function sortByTime(entries: readonly TrailEntry[]): TrailEntry[] {
  const keyed = entries.map((entry) => ({ entry, key: entry.createdAt + entry.id }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ entry }) => entry);
}
