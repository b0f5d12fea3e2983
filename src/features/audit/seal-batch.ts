import type { Database } from '../../platform/database.ts';
import { driverTransaction } from '../../platform/driver-transaction.ts';
import type { AuditKeys } from './audit-keys.ts';
import { becomeSealer, findEnd, findUnsealed, hasUnsealed, storeBatch } from './seal.repository.ts';
import { FIRST_HASH, memberOf, sealOf, type TrailEntry } from './trail-format.rules.ts';

/** Entries of one batch at most: few enough that hashing them holds up nobody. */
const AT_ONCE = 500;

/**
 * Seals what is committed and not sealed yet, up to 500 entries, and signs them as one batch. Waits for nobody: while
 * another instance seals, nothing is done. Answers how many were sealed, and whether there may be more.
 */
export async function sealBatch(
  database: Pick<Database, 'pool'>,
  keys: Pick<AuditKeys, 'signBatch'>,
): Promise<{ sealed: number; more: boolean }> {
  if (!(await hasUnsealed(database.pool))) return { sealed: 0, more: false };
  return driverTransaction(database, 'WRITE', async (connection) => {
    if (!(await becomeSealer(connection))) return { sealed: 0, more: false };
    const end = await findEnd(connection);
    const entries = byTime(await findUnsealed(connection, AT_ONCE));
    if (entries.length === 0) return { sealed: 0, more: false };
    const seals = chain(end.sequence, end.hash ?? FIRST_HASH, entries);
    const batch = keys.signBatch({
      firstSequence: end.sequence + 1,
      lastSequence: end.sequence + entries.length,
      lastHash: seals.at(-1)?.seal ?? '',
      members: seals.map(({ entryId, seal }) => memberOf(entryId, seal)).join(''),
      signedAt: end.now,
    });
    await storeBatch(connection, batch, seals);
    return { sealed: entries.length, more: entries.length === AT_ONCE };
  });
}

function chain(after: number, hash: string, entries: readonly TrailEntry[]) {
  let seal = hash;
  return entries.map((entry, index) => {
    seal = sealOf(seal, after + 1 + index, entry);
    return { entryId: entry.id, seal };
  });
}

/** Which order a batch has is free; this one reads well. */
function byTime(entries: readonly TrailEntry[]): TrailEntry[] {
  const keyed = entries.map((entry) => ({ entry, key: entry.createdAt + entry.id }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ entry }) => entry);
}
