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

/** Entries of one batch at most: few enough that hashing them holds up nobody. */
const SEAL_BATCH_SIZE = 500;

/**
 * Seals what is committed and not sealed yet, up to 500 entries, and signs them as one batch. Waits for nobody: while
 * another instance seals, nothing is done. Answers how many were sealed, and whether there may be more.
 */
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

/** Which order a batch has is free; this one reads well. */
function sortByTime(entries: readonly TrailEntry[]): TrailEntry[] {
  const keyed = entries.map((entry) => ({ entry, key: entry.createdAt + entry.id }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ entry }) => entry);
}
