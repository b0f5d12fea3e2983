import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql, querySql, sql } from '../../../platform/sql.ts';
import { getMinIdAt } from '../../../shared/ids.ts';
import type { PlanUsageCounts } from './user-plan.repository.ts';

export type CountedLimitName = Exclude<keyof PlanUsageCounts, 'storageBytes' | 'members'>;

const LOCK_NAMES: Record<keyof PlanUsageCounts, string> = {
  qrCodes: 'qr-codes of ',
  memoryTags: 'memory-tags of ',
  documents: 'documents of ',
  members: 'members of ',
  storageBytes: 'stored files of ',
};

const COUNTED_RECORDS: Record<CountedLimitName, (accountId: string) => Prisma.Sql> = {
  qrCodes: (accountId) => sql`FROM qr_codes WHERE account_id = ${accountId} AND status <> 'DELETED'`,
  memoryTags: (accountId) => sql`FROM memory_tags WHERE account_id = ${accountId}`,
  documents: (accountId) => sql`FROM documents WHERE account_id = ${accountId} AND deleted_at IS NULL`,
};

export async function lockQuota(tx: Tx, limit: keyof PlanUsageCounts, accountId: string): Promise<void> {
  const name = LOCK_NAMES[limit] + accountId;
  await executeSql(tx)`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

/** At the cost of an index scan of that many rows. */
export async function hasMinimumOlderRecords(
  db: Db,
  limit: CountedLimitName,
  row: { accountId: string; id: string; createdAt: Date },
  count: number,
): Promise<boolean> {
  // In the index order; otherwise a plan might read records of other owners.
  const [counted] = await querySql<{ older: number }>(db)`
    SELECT count(*)::int AS older FROM (
      SELECT ${COUNTED_RECORDS[limit](row.accountId)} AND (created_at, id) < (${row.createdAt}, ${row.id})
      ORDER BY created_at DESC, id DESC LIMIT ${count}) AS oldest`;
  return (counted?.older ?? 0) >= count;
}

export async function findLargerPackage(
  db: Db,
  limit: keyof PlanUsageCounts,
  count: number,
): Promise<{ id: string; code: string } | null> {
  const [row] = await querySql<{ id: string; code: string }>(db)`
    SELECT id, code FROM subscription_packages
    WHERE on_offer AND prices <> '[]' AND coalesce((limits ->> ${limit})::bigint > ${count}, true)
    ORDER BY rank LIMIT 1`;
  return row ?? null;
}

export async function findPackageWithFeature(
  db: Db,
  feature: string,
): Promise<{ id: string; code: string } | null> {
  const [row] = await querySql<{ id: string; code: string }>(db)`
    SELECT id, code FROM subscription_packages WHERE on_offer AND features @> to_jsonb(${feature}::text)
    ORDER BY rank LIMIT 1`;
  return row ?? null;
}

export async function hasScansBefore(db: Db, accountId: string, moment: Date): Promise<boolean> {
  const rows = await querySql<unknown>(db)`
    SELECT 1 FROM scans WHERE account_id = ${accountId} AND scanned_at < ${moment} AND id < ${getMinIdAt(moment)}
    ORDER BY scanned_at, id LIMIT 1`;
  return rows.length > 0;
}
