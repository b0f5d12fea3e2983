import { executeSql, type SqlConnection } from '../../platform/sql.ts';

export interface CountedScan {
  qrCodeId: string;
  accountId: string;
  scannedAt: Date;
}

/** Share the bucket locks until the transaction ends; a roll-up takes them exclusively. */
export const createScanBucketLockSql = (scans: string) => `
    SELECT pg_advisory_xact_lock_shared(hashtext('scan bucket ' || bucket_size), number::int)
    FROM (SELECT DISTINCT bucket_size, number FROM ${scans} CROSS JOIN LATERAL (VALUES
            ('DAY', floor(extract(epoch FROM scanned_at) / 86400)),
            ('QUARTER_HOUR', floor(extract(epoch FROM scanned_at) / 900))) AS of_scan (bucket_size, number)
          ORDER BY bucket_size, number) AS buckets`;

/** `scans` has columns qr_code_id, account_id and scanned_at. */
export const createMarkBucketsDirtySql = (scans: string) => `
    INSERT INTO scan_dirty_buckets (bucket_size, starts_at, subject_id)
    SELECT DISTINCT bucket_size, starts_at, subject FROM ${scans}
    CROSS JOIN LATERAL (VALUES (qr_code_id), (account_id)) AS of_whom (subject)
    CROSS JOIN LATERAL (VALUES
      ('DAY', date_bin('1 day', scanned_at, '2000-01-01Z')),
      ('QUARTER_HOUR', date_bin('15 minutes', scanned_at, '2000-01-01Z'))) AS buckets (bucket_size, starts_at)
    ORDER BY bucket_size, starts_at, subject
    ON CONFLICT DO NOTHING`;

const SCAN_RECORDSET = `jsonb_to_recordset($1::jsonb) AS scan (qr_code_id text, account_id text, scanned_at timestamptz)`;

/** Call before counted columns of stored scans change, and then `markScanBucketsDirty`. */
export async function lockScanBuckets(
  connection: SqlConnection,
  scans: readonly CountedScan[],
): Promise<void> {
  await executeSql(connection, { isPrepared: true })({
    text: `SELECT count(*) FROM (${createScanBucketLockSql(SCAN_RECORDSET)}) AS held`,
    values: [toJsonRows(scans)],
  });
}

/** Call between `lockScanBuckets` and COMMIT. */
export async function markScanBucketsDirty(
  connection: SqlConnection,
  scans: readonly CountedScan[],
): Promise<void> {
  await executeSql(connection, { isPrepared: true })({
    text: `WITH scan AS (SELECT * FROM ${SCAN_RECORDSET}) ${createMarkBucketsDirtySql('scan')}`,
    values: [toJsonRows(scans)],
  });
}

function toJsonRows(scans: readonly CountedScan[]): string {
  return JSON.stringify(
    scans.map(({ qrCodeId, accountId, scannedAt }) => ({
      qr_code_id: qrCodeId,
      account_id: accountId,
      scanned_at: scannedAt,
    })),
  );
}
