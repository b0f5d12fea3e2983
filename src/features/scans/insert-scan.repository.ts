import { createRecipientIdSql, createRecipientsJoinSql } from '../../platform/recipients.repository.ts';
import { querySql, type SqlConnection } from '../../platform/sql.ts';
import { PUBLIC_QR_CODE_STATUS_SQL, WITHHELD_STATUS } from '../codes/index.ts';
import { createScanDeliveriesSql } from '../webhooks/index.ts';
import { createMarkBucketsDirtySql, createScanBucketLockSql } from './dirty-buckets.repository.ts';
import { DUPLICATE_SCAN_WINDOW_SECONDS, SAME_VISITOR_RULE, type ScanClass } from './scan-class.rules.ts';
import type { ScanNotification } from './scan-notification.ts';

/** Storing decides whether it is a DUPLICATE or unique. */
export interface NewScanRow {
  id: string;
  qrCodeId: string;
  /** The scan is not stored when the code has another version by now. */
  codeVersion: number;
  /** The scan is not stored when the code has another account by now; not compared if absent. A position is bound to it. */
  expectedAccountId?: string;
  /** The scan is not stored when this has changed by now; not compared if absent. */
  ownerBlocks?: boolean;
  scannerId: string | null;
  type: 'public' | 'guest' | 'user';
  class: ScanClass;
  classRule: string;
  visitorHash: Buffer;
  /** Null if every scan of that day is outside the duplicate window. */
  previousDayVisitorHash: Buffer | null;
  position: Buffer | null;
  city: string | null;
  region: string | null;
  country: string | null;
  device: string;
  os: string;
  browser: string;
  ipTruncated: string;
  userAgent: string;
  unlockedAt: Date | null;
  unlockedVersion: number | null;
  scannedAt: Date;
  /** `repeat`: also for a duplicate. `finder`: hash to block by; null for owners who block nobody. */
  notification: {
    id: string;
    key: string;
    content: ScanNotification;
    repeat: boolean;
    finder: string | null;
  } | null;
}

export interface InsertedScan {
  id: string;
  class: ScanClass;
}

/**
 * Insert and count scans in one statement; it must be the last of a transaction, as its row locks block
 * others. Locks in a fixed order against deadlocks. Skips scans of changed, purged, withheld or erased codes.
 */
export function insertScans(
  connection: SqlConnection,
  scans: readonly NewScanRow[],
): Promise<InsertedScan[]> {
  const mayBeBlocked = scans.some(({ notification }) => notification?.finder);
  return querySql<InsertedScan>(connection, { isPrepared: true })({
    text: mayBeBlocked ? INSERT_STATEMENT_WITH_BLOCKS : INSERT_STATEMENT,
    values: [JSON.stringify(scans.map(toJsonRow))],
  });
}

const DUPLICATE_WINDOW_SQL = `interval '${DUPLICATE_SCAN_WINDOW_SECONDS} seconds'`;

const INSERT_COLUMNS = `scanner_id, type, position, city, region, country, device, os, browser, ip_truncated, user_agent,
  unlocked_at, unlocked_version, scanned_at`;

const createInsertStatement = (unblocked: string) => `/* insert scans */
  WITH input_scans AS MATERIALIZED (
    SELECT scan.*, (scanned_at AT TIME ZONE 'UTC')::date AS day, decode(visitor, 'hex') AS visitor_hash,
           decode(visitor_before, 'hex') AS visitor_hash_before, decode(encrypted_position, 'hex') AS position
    FROM jsonb_to_recordset($1::jsonb) AS scan (
      id text, qr_code_id text, code_version int, expected_account_id text, owner_blocks boolean, scanner_id text, type text, class text, class_rule text,
      visitor text, visitor_before text, encrypted_position text, city text, region text, country text, device text, os text,
      browser text, ip_truncated text, user_agent text, unlocked_at timestamptz, unlocked_version int,
      scanned_at timestamptz, notification jsonb)
  ), bucket_locks AS MATERIALIZED (
    ${createScanBucketLockSql('input_scans')}
  ), codes AS MATERIALIZED (
    -- LATERAL: the planner expects many rows and would read all codes of a small table.
    SELECT code.id, account_id, version,
           EXISTS (SELECT FROM blocked_finders AS blocked WHERE blocked.account_id = code.account_id) AS owner_blocks
    FROM (SELECT DISTINCT qr_code_id AS id FROM input_scans WHERE (SELECT count(*) FROM bucket_locks) > 0 ORDER BY id) AS code_ids
    CROSS JOIN LATERAL (
      SELECT id, account_id, version FROM qr_codes
      WHERE qr_codes.id = code_ids.id AND data IS NOT NULL
        AND ${PUBLIC_QR_CODE_STATUS_SQL} NOT IN ('${WITHHELD_STATUS}', 'DELETED')
      LIMIT 1 FOR NO KEY UPDATE OF qr_codes) AS code
  ), current_scans AS MATERIALIZED (
    SELECT input_scans.*, codes.account_id
    FROM input_scans JOIN codes ON codes.id = input_scans.qr_code_id AND codes.version = input_scans.code_version
      AND codes.account_id = coalesce(input_scans.expected_account_id, codes.account_id)
      AND codes.owner_blocks = coalesce(input_scans.owner_blocks, codes.owner_blocks)
  ), visitors AS MATERIALIZED (
    SELECT DISTINCT ON (qr_code_id, visitor_hash) id, qr_code_id, day, visitor_hash, scanned_at FROM current_scans
    WHERE class = 'HUMAN' AND NOT EXISTS (
      SELECT FROM scan_visitors AS visitor
      WHERE visitor.qr_code_id = current_scans.qr_code_id AND visitor.day = current_scans.day - 1
        AND visitor.visitor_hash = current_scans.visitor_hash_before AND visitor.counted_at > current_scans.scanned_at - ${DUPLICATE_WINDOW_SQL})
    ORDER BY qr_code_id, visitor_hash, scanned_at, id
  ), counted_visitors AS (
    INSERT INTO scan_visitors AS visitor (qr_code_id, day, visitor_hash, counted_at, counted_scan_id)
    SELECT qr_code_id, day, visitor_hash, scanned_at, id FROM visitors
    ON CONFLICT (qr_code_id, day, visitor_hash) DO UPDATE SET
      counted_at = excluded.counted_at, counted_scan_id = excluded.counted_scan_id
      WHERE visitor.counted_at <= excluded.counted_at - ${DUPLICATE_WINDOW_SQL}
    RETURNING counted_scan_id AS id, xmax = 0 AS is_first
  ), humans AS MATERIALIZED (
    -- An object, not a join: the planner expects few rows and would choose a nested loop.
    SELECT coalesce(jsonb_object_agg(id, is_first), '{}') AS by_id FROM counted_visitors
  ), inserted AS (
    INSERT INTO scans (id, qr_code_id, account_id, class, class_rule, is_unique, visitor_hash, ${INSERT_COLUMNS})
    SELECT id, qr_code_id, account_id,
           CASE WHEN class = 'HUMAN' AND NOT by_id ? id THEN 'DUPLICATE' ELSE class END,
           CASE WHEN class = 'HUMAN' AND NOT by_id ? id THEN '${SAME_VISITOR_RULE}' ELSE class_rule END,
           coalesce((by_id->>id)::boolean, false), visitor_hash, ${INSERT_COLUMNS}
    FROM current_scans CROSS JOIN humans
    RETURNING id, qr_code_id, account_id, class, is_unique, scanned_at
  ), inserted_notifications AS (
    INSERT INTO notifications (id, key, user_id, account_id, type, event, data)
    SELECT ${createRecipientIdSql("(notification->>'id')")},
           notification->>'key', recipient.user_id, recipient.account_id, notification#>>'{content,type}', notification#>>'{content,event}', notification#>'{content,data}'
    FROM inserted JOIN input_scans USING (id)
    ${createRecipientsJoinSql('inserted.account_id', 'SCANS')}
    WHERE notification IS NOT NULL AND (inserted.class = 'HUMAN' OR (inserted.class = 'DUPLICATE' AND (notification->>'repeat')::boolean))${unblocked}
    ON CONFLICT (user_id, key) DO NOTHING
  ), inserted_deliveries AS (
    ${createScanDeliveriesSql('inserted')}
  ), dirty AS (
    ${createMarkBucketsDirtySql('inserted')}
  ), updated_counts AS (
    INSERT INTO scan_counts AS counts (qr_code_id, total, humans, uniques, last_scanned_at)
    SELECT qr_code_id, count(*), count(*) FILTER (WHERE class = 'HUMAN'), count(*) FILTER (WHERE is_unique),
           max(scanned_at)
    FROM inserted GROUP BY qr_code_id ORDER BY qr_code_id
    ON CONFLICT (qr_code_id) DO UPDATE SET
      total = counts.total + excluded.total, humans = counts.humans + excluded.humans,
      uniques = counts.uniques + excluded.uniques,
      last_scanned_at = greatest(counts.last_scanned_at, excluded.last_scanned_at)
  )
  SELECT id, class FROM inserted`;

const INSERT_STATEMENT = createInsertStatement('');

// Separate, so that scans without blocked finders need no lookup.
const INSERT_STATEMENT_WITH_BLOCKS = createInsertStatement(`
      AND NOT EXISTS (SELECT FROM blocked_finders AS blocked
                      WHERE blocked.account_id = inserted.account_id AND finder_hash = decode(notification->>'finder', 'hex'))`);

function toJsonRow(scan: NewScanRow) {
  return {
    id: scan.id,
    qr_code_id: scan.qrCodeId,
    code_version: scan.codeVersion,
    expected_account_id: scan.expectedAccountId,
    owner_blocks: scan.ownerBlocks,
    scanner_id: scan.scannerId,
    type: scan.type,
    class: scan.class,
    class_rule: scan.classRule,
    visitor: scan.visitorHash.toString('hex'),
    visitor_before: scan.previousDayVisitorHash?.toString('hex') ?? null,
    encrypted_position: scan.position?.toString('hex') ?? null,
    city: scan.city,
    region: scan.region,
    country: scan.country,
    device: scan.device,
    os: scan.os,
    browser: scan.browser,
    ip_truncated: scan.ipTruncated,
    user_agent: scan.userAgent,
    unlocked_at: scan.unlockedAt,
    unlocked_version: scan.unlockedVersion,
    scanned_at: scan.scannedAt,
    notification: scan.notification,
  };
}
