import { executeSql, querySql, type SqlConnection } from '../../../platform/sql.ts';
import type { DirtyScanBucket } from './rollup.repository.ts';

const OWNER_BUCKETS_SQL = `unnest($1::text[], $2::timestamptz[]) AS requested (subject_id, starts_at)
  CROSS JOIN LATERAL (
    SELECT total, humans, uniques FROM scan_rollups
    WHERE subject_id = requested.subject_id AND bucket_size = 'QUARTER_HOUR' AND starts_at = requested.starts_at OFFSET 0) AS kept`;

/** Locks the rows of owners in order: call it once per transaction. */
export async function subtractFromOwnerScanCounts(
  connection: SqlConnection,
  quarters: readonly DirtyScanBucket[],
): Promise<DirtyScanBucket[]> {
  const rows = await querySql<{ accountId: string }>(connection, { isPrepared: true })({
    text: `INSERT INTO owner_scan_counts AS counts (account_id, total, humans, uniques)
      SELECT id, 0, 0, 0 FROM accounts WHERE id = ANY ($1::text[]) ORDER BY id
      ON CONFLICT (account_id) DO UPDATE SET (total, humans, uniques) = (
        SELECT counts.total - coalesce(sum(kept.total), 0), counts.humans - coalesce(sum(kept.humans), 0),
               counts.uniques - coalesce(sum(kept.uniques), 0)
        FROM ${OWNER_BUCKETS_SQL} WHERE requested.subject_id = counts.account_id)
      RETURNING account_id AS "accountId"`,
    values: toParameters(quarters),
  });
  const owners = new Set(rows.map(({ accountId }) => accountId));
  return quarters.filter(({ subjectId }) => owners.has(subjectId));
}

export async function addToOwnerScanCounts(
  connection: SqlConnection,
  quarters: readonly DirtyScanBucket[],
): Promise<void> {
  await executeSql(connection, { isPrepared: true })({
    text: `UPDATE owner_scan_counts AS counts SET
        total = counts.total + sums.total, humans = counts.humans + sums.humans, uniques = counts.uniques + sums.uniques
      FROM (SELECT subject_id, sum(kept.total) AS total, sum(kept.humans) AS humans, sum(kept.uniques) AS uniques
            FROM ${OWNER_BUCKETS_SQL} GROUP BY subject_id) AS sums
      WHERE account_id = sums.subject_id`,
    values: toParameters(quarters),
  });
}

function toParameters(quarters: readonly DirtyScanBucket[]): unknown[] {
  return [quarters.map(({ subjectId }) => subjectId), quarters.map(({ startsAt }) => startsAt)];
}
