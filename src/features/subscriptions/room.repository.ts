import { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { firstIdAt } from '../../shared/ids.ts';
import type { Usage } from './plan-of-user.repository.ts';

/** Of what a package limits: the lock of those who add to it, and an owner's records of it that count. */
const COUNTED = {
  qrCodes: {
    lock: 'qr-codes of ',
    records: (ownerId: string) =>
      Prisma.sql`FROM qr_codes WHERE owner_id = ${ownerId} AND status <> 'DELETED'`,
  },
  memoryTags: {
    lock: 'memory-tags of ',
    records: (ownerId: string) => Prisma.sql`FROM memory_tags WHERE owner_id = ${ownerId}`,
  },
} satisfies Record<keyof Usage, unknown>;

/** Has others who add something of this kind to the same owner's wait until the transaction ends. */
export async function lockRoom(tx: Tx, limit: keyof Usage, ownerId: string): Promise<void> {
  const name = COUNTED[limit].lock + ownerId;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

/** Whether an owner has at least so many records that are older than this one. Looks at no more than these, in an index. */
export async function hasOlder(
  db: Db,
  limit: keyof Usage,
  row: { ownerId: string; id: string; createdAt: Date },
  count: number,
): Promise<boolean> {
  // In the order of the index, or a plan might look through those of others.
  const [counted] = await db.$queryRaw<{ older: number }[]>`
    SELECT count(*)::int AS older FROM (
      SELECT ${COUNTED[limit].records(row.ownerId)} AND (created_at, id) < (${row.createdAt}, ${row.id})
      ORDER BY created_at DESC, id DESC LIMIT ${count}) AS oldest`;
  return (counted?.older ?? 0) >= count;
}

/** The smallest package that is sold and has more of something; null where there is none. */
export async function findLarger(
  db: Db,
  limit: keyof Usage,
  count: number,
): Promise<{ id: string; code: string } | null> {
  const [row] = await db.$queryRaw<{ id: string; code: string }[]>`
    SELECT id, code FROM subscription_packages
    WHERE on_offer AND prices <> '[]' AND coalesce((limits ->> ${limit})::bigint > ${count}, true)
    ORDER BY rank LIMIT 1`;
  return row ?? null;
}

/** Whether codes of an owner were scanned before a moment. */
export async function hasScansBefore(db: Db, ownerId: string, moment: Date): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM scans WHERE owner_id = ${ownerId} AND scanned_at < ${moment} AND id < ${firstIdAt(moment)}
    ORDER BY scanned_at, id LIMIT 1`;
  return rows.length > 0;
}
