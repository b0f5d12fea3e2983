import type { Database } from '../../../platform/database.ts';
import { querySql } from '../../../platform/sql.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { getMinIdAt } from '../../../shared/ids.ts';

interface ScanTotals {
  total: number;
  humans: number;
  unique: number;
}

export interface DashboardDayStarts {
  today: Date;
  yesterday: Date;
  week: Date;
}

export interface DashboardData {
  /** An expired code counts as expired only. */
  codes: { active: number; paused: number; lost: number; expired: number; all: number };
  scans: ScanTotals;
  today: ScanTotals;
  yesterday: ScanTotals;
  week: ScanTotals;
  lastScan: {
    id: string;
    qrCodeId: string;
    title: string;
    class: string;
    scannedAt: Date;
    city: string | null;
    region: string | null;
    country: string | null;
  } | null;
  attention: { id: string; kind: string; title: string; status: 'LOST' | 'EXPIRED' }[];
  unread: number;
  messages: number;
  memoryTags: number;
  documents: { total: number; expiring: number };
}

type PeriodCounts = [
  period: 'ever' | 'today' | 'yesterday' | 'before',
  total: number,
  humans: number,
  unique: number,
];

const MAX_RECENT_SCANS = 200;

const MAX_ATTENTION_CODES = 10;

const buildLastScanSql = (condition: string) => `
    (SELECT json_build_object(
       'id', scan.id, 'qrCodeId', code.id, 'title', code.title, 'class', scan.class,
       'scannedAt', scan.scanned_at, 'city', scan.city, 'region', scan.region, 'country', scan.country)
     FROM (SELECT * FROM scans WHERE account_id = $1 AND ${condition}
           ORDER BY scanned_at DESC, id DESC LIMIT ${MAX_RECENT_SCANS}) AS scan
     JOIN qr_codes AS code ON code.account_id = $1 AND code.id = scan.qr_code_id AND code.status <> 'DELETED'
     ORDER BY scan.scanned_at DESC, scan.id DESC LIMIT 1)`;

// Expired codes come from an index, scans from rolled-up buckets; dirty buckets are counted from the scans.
const DASHBOARD_SQL = `
  WITH changes AS MATERIALIZED (
    SELECT dirty.starts_at, stored.total - coalesce(kept.total, 0) AS total,
           stored.humans - coalesce(kept.humans, 0) AS humans, stored.uniques - coalesce(kept.uniques, 0) AS uniques
    FROM scan_dirty_buckets AS dirty CROSS JOIN LATERAL count_scans_in_quarter_hour($1, dirty.starts_at) AS stored
    LEFT JOIN LATERAL (
      SELECT total, humans, uniques FROM scan_rollups
      WHERE subject_id = $1 AND bucket_size = 'QUARTER_HOUR' AND starts_at = dirty.starts_at
      UNION ALL
      SELECT total, humans, uniques FROM scan_rollup_month_buckets
      WHERE subject_id = $1 AND month = date_trunc('month', dirty.starts_at, 'UTC')
        AND starts_at = dirty.starts_at OFFSET 0) AS kept ON true
    WHERE subject_id = $1 AND bucket_size = 'QUARTER_HOUR'
  ), stretches (stretch, begins, ends) AS (
    VALUES ('ever', '-infinity', 'infinity'), ('today', $2::timestamptz, 'infinity'), ('yesterday', $3, $2), ('before', $4, $3)
  ), parts AS (
    SELECT 'ever' AS stretch, total, humans, uniques FROM owner_scan_counts WHERE account_id = $1
    UNION ALL
    SELECT stretch, kept.* FROM stretches CROSS JOIN LATERAL (
      SELECT coalesce(sum(total), 0) AS total, coalesce(sum(humans), 0) AS humans, coalesce(sum(uniques), 0) AS uniques
      FROM scan_rollups WHERE subject_id = $1 AND bucket_size = 'QUARTER_HOUR' AND starts_at >= begins AND starts_at < ends) AS kept
    WHERE stretch <> 'ever'
    UNION ALL
    SELECT stretch, total, humans, uniques FROM stretches JOIN changes ON starts_at >= begins AND starts_at < ends
  ), expired AS MATERIALIZED (
    SELECT count(*) FILTER (WHERE status = 'ACTIVE') AS active, count(*) FILTER (WHERE status = 'PAUSED') AS paused,
           count(*) FILTER (WHERE status = 'LOST') AS lost, count(*) AS every
    FROM qr_codes WHERE account_id = $1 AND expires_at <= now() AND expires_at IS NOT NULL AND status <> 'DELETED'
  )
  SELECT
    (SELECT json_build_object(
       'all', coalesce(kept.active + kept.paused + kept.lost + kept.unclaimed, 0),
       'active', coalesce(kept.active - expired.active, 0), 'paused', coalesce(kept.paused - expired.paused, 0),
       'lost', coalesce(kept.lost - expired.lost, 0), 'expired', expired.every)
     FROM expired LEFT JOIN qr_code_counts AS kept ON kept.account_id = $1) AS codes,
    (SELECT json_agg(json_build_array(stretch, total, humans, uniques)) FROM parts) AS parts,
    ${buildLastScanSql('id >= $5 AND id < $6')} AS "lastScan",
    (SELECT coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'title', title, 'status', status)
                               ORDER BY place, at DESC, id DESC), '[]')
     FROM (
       (SELECT id, kind, title, 'LOST' AS status, 1 AS place, created_at AS at FROM qr_codes
        WHERE account_id = $1 AND status = 'LOST' AND (expires_at IS NULL OR expires_at > now())
        ORDER BY created_at DESC, id DESC LIMIT ${MAX_ATTENTION_CODES})
       UNION ALL
       (SELECT id, kind, title, 'EXPIRED', 2, expires_at FROM qr_codes
        WHERE account_id = $1 AND expires_at <= now() AND expires_at IS NOT NULL AND status <> 'DELETED'
        ORDER BY expires_at DESC, id DESC LIMIT ${MAX_ATTENTION_CODES})
       ORDER BY place, at DESC, id DESC LIMIT ${MAX_ATTENTION_CODES}) AS need) AS attention,
    (SELECT count(*)::int FROM notifications WHERE user_id = $1 AND read_at IS NULL) AS unread,
    (SELECT count(*)::int FROM conversation_messages
     WHERE account_id = $1 AND sender = 'FINDER' AND read_at IS NULL) AS messages,
    (SELECT count(*)::int FROM memory_tags WHERE account_id = $1) AS "memoryTags",
    (SELECT json_build_object('total', count(*), 'expiring', count(*) FILTER (
       WHERE expires_on >= current_date AND expires_on <= current_date + 30))
     FROM documents WHERE account_id = $1 AND deleted_at IS NULL) AS documents`;

/** Read the dashboard at a cost independent of the number of codes. Days must start on a 15-minute bucket. */
export async function readDashboard(
  { pool }: Pick<Database, 'pool'>,
  accountId: string,
  since: DashboardDayStarts,
): Promise<DashboardData> {
  const query = createDashboardQuery(accountId, since);
  const [row] = await querySql<DashboardQueryRow>(pool, { isPrepared: true })(query);
  if (!row) throw new Error('Dashboard query returned no row.');
  const { parts, ...facts } = row;
  const scans = sumPeriodCounts(parts, 'ever');
  const lastScan = row.lastScan ?? (scans.total > 0 ? await findLastScan(pool, accountId) : null);
  return {
    ...facts,
    scans,
    today: sumPeriodCounts(parts, 'today'),
    yesterday: sumPeriodCounts(parts, 'yesterday'),
    week: sumPeriodCounts(parts, 'today', 'yesterday', 'before'),
    lastScan: lastScan && { ...lastScan, scannedAt: new Date(lastScan.scannedAt) },
  };
}

/** The last scan is searched in the partitions of one week only. */
export function createDashboardQuery(accountId: string, { today, yesterday, week }: DashboardDayStarts) {
  const end = new Date(today.getTime() + 2 * DAY_MS);
  const values = [accountId, today, yesterday, week, getMinIdAt(week), getMinIdAt(end)];
  return { text: DASHBOARD_SQL, values };
}

async function findLastScan(
  pool: Database['pool'],
  accountId: string,
): Promise<DashboardQueryRow['lastScan']> {
  const text = `SELECT ${buildLastScanSql('true')} AS "lastScan"`;
  const rows = await querySql<Pick<DashboardQueryRow, 'lastScan'>>(pool, { isPrepared: true })({
    text,
    values: [accountId],
  });
  return rows[0]?.lastScan ?? null;
}

function sumPeriodCounts(parts: readonly PeriodCounts[], ...periods: PeriodCounts[0][]): ScanTotals {
  const sum = { total: 0, humans: 0, unique: 0 };
  for (const [period, total, humans, unique] of parts) {
    if (!periods.includes(period)) continue;
    sum.total += total;
    sum.humans += humans;
    sum.unique += unique;
  }
  return sum;
}

/** Times inside JSON are strings. */
type DashboardQueryRow = Pick<
  DashboardData,
  'codes' | 'attention' | 'unread' | 'messages' | 'memoryTags' | 'documents'
> & {
  parts: PeriodCounts[];
  lastScan: (Omit<NonNullable<DashboardData['lastScan']>, 'scannedAt'> & { scannedAt: string }) | null;
};
