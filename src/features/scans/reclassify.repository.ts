import { executeSql, querySql, type SqlConnection } from '../../platform/sql.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { getMinIdAt } from '../../shared/ids.ts';
import { createMarkBucketsDirtySql, createScanBucketLockSql } from './dirty-buckets.repository.ts';
import type { ReclassifiedScan, StoredScanFacts } from './reclassify.rules.ts';
import { DUPLICATE_SCAN_WINDOW_SECONDS } from './scan-class.rules.ts';

export interface QrCodeScanDay {
  qrCodeId: string;
  day: Date;
}

export async function listQrCodeScanDays(
  connection: SqlConnection,
  ids: { first: string; end: string },
): Promise<QrCodeScanDay[]> {
  return querySql<QrCodeScanDay>(connection)({
    text: `SELECT qr_code_id AS "qrCodeId", date_bin('1 day', scanned_at, '2000-01-01Z') AS day FROM scans
     WHERE id >= $1 AND id < $2 GROUP BY 1, 2 ORDER BY 2, 1`,
    values: [ids.first, ids.end],
  });
}

export async function findFirstScanTime(connection: SqlConnection): Promise<Date | null> {
  const rows = await querySql<{ at: Date }>(connection)`
    SELECT scanned_at AS at FROM scans ORDER BY id LIMIT 1`;
  return rows[0]?.at ?? null;
}

export async function lockQrCodeScanDay(
  connection: SqlConnection,
  { qrCodeId, day }: QrCodeScanDay,
): Promise<void> {
  await executeSql(connection)({
    text: `SELECT count(*) FROM (${createScanBucketLockSql(
      `(SELECT $1::timestamptz + step * interval '15 minutes' AS scanned_at FROM generate_series(0, 95) AS step) AS quarters`,
    )}) AS held`,
    values: [day],
  });
  await executeSql(connection)({
    text: 'SELECT FROM qr_codes WHERE id = $1 FOR NO KEY UPDATE',
    values: [qrCodeId],
  });
}

/** Includes the duplicate window before the day; oldest first. */
export async function readScansByQrCode(
  connection: SqlConnection,
  qrCodeIds: readonly string[],
  day: Date,
): Promise<Map<string, StoredScanFacts[]>> {
  const from = new Date(day.getTime() - DUPLICATE_SCAN_WINDOW_SECONDS * 1000);
  const to = new Date(day.getTime() + DAY_MS);
  const rows = await querySql<StoredScanFacts & { qrCodeId: string }>(connection)({
    text: `SELECT qr_code_id AS "qrCodeId", id, type, class, class_rule AS "classRule", is_unique AS "isUnique",
            ip_truncated AS "ipTruncated", user_agent AS "userAgent", scanner_id IS NOT NULL AS "hasScanner",
            scanned_at AS "scannedAt"
     FROM scans WHERE qr_code_id = ANY ($1) AND scanned_at >= $2 AND scanned_at < $3 AND id >= $4 AND id < $5
     ORDER BY scanned_at, id`,
    values: [qrCodeIds, from, to, getMinIdAt(from), getMinIdAt(to)],
  });
  const scans = new Map<string, StoredScanFacts[]>(qrCodeIds.map((id) => [id, []]));
  for (const { qrCodeId, ...scan } of rows) scans.get(qrCodeId)?.push(scan);
  return scans;
}

/** Lock the day first. */
export async function updateScanClasses(
  connection: SqlConnection,
  changed: readonly ReclassifiedScan[],
): Promise<void> {
  await executeSql(connection)({
    text: `WITH input AS MATERIALIZED (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS scan (id text, class text, "classRule" text, "isUnique" boolean)
     ), before AS MATERIALIZED (
       SELECT id, class, is_unique FROM scans WHERE id IN (SELECT id FROM input)
     ), made AS (
       UPDATE scans SET class = input.class, class_rule = "classRule", is_unique = "isUnique"
       FROM input WHERE scans.id = input.id
       RETURNING scans.id, qr_code_id, account_id, scans.class, scans.is_unique, scanned_at
     ), dirty AS (
${createMarkBucketsDirtySql('made')}
     )
     UPDATE scan_counts AS counts SET humans = counts.humans + sums.humans, uniques = counts.uniques + sums.uniques
     FROM (SELECT qr_code_id, sum((made.class = 'HUMAN')::int - (before.class = 'HUMAN')::int) AS humans,
                  sum(made.is_unique::int - before.is_unique::int) AS uniques
           FROM made JOIN before USING (id) GROUP BY qr_code_id) AS sums
     WHERE counts.qr_code_id = sums.qr_code_id`,
    values: [JSON.stringify(changed)],
  });
}
