import type { QueryRunner } from './scan-query.ts';

/** A scan that is changed: by what and when it is counted. */
export interface CountedScan {
  qrCodeId: string;
  ownerId: string;
  scannedAt: Date;
}

/**
 * Takes the locks of the spans that scans are counted in, until the end of the transaction: whoever rolls a span up
 * waits for all that share its lock, and keeps them waiting while it counts. `scans` has a column scanned_at.
 */
export const createBucketLockQuery = (scans: string) => `
    SELECT pg_advisory_xact_lock_shared(hashtext('scans of a ' || span), number::int)
    FROM (SELECT DISTINCT span, number FROM ${scans} CROSS JOIN LATERAL (VALUES
            ('DAY', floor(extract(epoch FROM scanned_at) / 86400)),
            ('QUARTER', floor(extract(epoch FROM scanned_at) / 900))) AS of_scan (span, number)
          ORDER BY span, number) AS spans`;

/** Notes that the spans of scans are to be counted again. `scans` has columns qr_code_id, owner_id and scanned_at. */
export const createMarkDirtyQuery = (scans: string) => `
    INSERT INTO scan_stale_spans (span, starts_at, subject_id)
    SELECT DISTINCT span, starts_at, subject FROM ${scans}
    CROSS JOIN LATERAL (VALUES (qr_code_id), (owner_id)) AS of_whom (subject)
    CROSS JOIN LATERAL (VALUES
      ('DAY', date_bin('1 day', scanned_at, '2000-01-01Z')),
      ('QUARTER', date_bin('15 minutes', scanned_at, '2000-01-01Z'))) AS spans (span, starts_at)
    ORDER BY span, starts_at, subject
    ON CONFLICT DO NOTHING`;

const SCAN_RECORDSET = `jsonb_to_recordset($1::jsonb) AS scan (qr_code_id text, owner_id text, scanned_at timestamptz)`;

/**
 * What a transaction begins with that changes stored scans in what they are counted by (class, place, …): nobody counts
 * them until it ends. It ends with `noteStaleSpans`.
 */
export async function lockScanBuckets(query: QueryRunner, scans: readonly CountedScan[]): Promise<void> {
  await query('hold-spans', `SELECT count(*) FROM (${createBucketLockQuery(SCAN_RECORDSET)}) AS held`, [
    toJsonRows(scans),
  ]);
}

/** Notes that stored scans were changed, so that they are counted again. Only between `holdSpans` and the commit. */
export async function markBucketsDirty(query: QueryRunner, scans: readonly CountedScan[]): Promise<void> {
  await query(
    'note-stale-spans',
    `WITH scan AS (SELECT * FROM ${SCAN_RECORDSET}) ${createMarkDirtyQuery('scan')}`,
    [toJsonRows(scans)],
  );
}

function toJsonRows(scans: readonly CountedScan[]): string {
  return JSON.stringify(
    scans.map(({ qrCodeId, ownerId, scannedAt }) => ({
      qr_code_id: qrCodeId,
      owner_id: ownerId,
      scanned_at: scannedAt,
    })),
  );
}
