import type { Database } from '../../platform/database.ts';
import { firstIdAt } from '../../shared/ids.ts';

interface Counts {
  total: number;
  humans: number;
  unique: number;
}

/** When the days began that the cards tell apart. */
export interface DaysSince {
  today: Date;
  yesterday: Date;
  week: Date;
}

/** What the cards are made from. */
export interface DashboardFacts {
  /** Codes by status; a code that has expired counts as nothing else. */
  codes: { active: number; paused: number; lost: number; expired: number; all: number };
  scans: Counts;
  today: Counts;
  yesterday: Counts;
  week: Counts;
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
  memoryTags: number;
}

/** The newest scans that are looked through for one of a code that is not deleted. */
const LOOKED_THROUGH = 200;

/** Codes that need attention, at most. */
const MOST_IN_NEED = 10;

const counts = (of: string) =>
  `jsonb_build_object('total', coalesce(sum(total) ${of}, 0), 'humans', coalesce(sum(humans) ${of}, 0),
                      'unique', coalesce(sum(uniques) ${of}, 0))`;

/** The newest scan of a code that is not deleted, among those of a condition. */
const lastScan = (condition: string) => `
    (SELECT jsonb_build_object(
       'id', scan.id, 'qrCodeId', code.id, 'title', code.title, 'class', scan.class,
       'scannedAt', scan.scanned_at, 'city', scan.city, 'region', scan.region, 'country', scan.country)
     FROM (SELECT * FROM scans WHERE owner_id = $1 AND ${condition}
           ORDER BY scanned_at DESC, id DESC LIMIT ${LOOKED_THROUGH}) AS scan
     JOIN qr_codes AS code ON code.id = scan.qr_code_id AND code.status <> 'DELETED'
     ORDER BY scan.scanned_at DESC, scan.id DESC LIMIT 1)`;

// Codes come from their counts and those that expired from an index; scans from roll-ups: whole days, and quarters of an
// hour of the days that are not rolled up or within the week. Only spans that changed since are counted from the scans.
// OFFSET 0 has each of those spans looked up by itself, whatever the planner expects of their number.
const STATEMENT = `
  WITH stale AS MATERIALIZED (
    SELECT span, starts_at FROM scan_stale_spans WHERE subject_id = $1
  ), fresh AS MATERIALIZED (
    SELECT stale.starts_at, count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans,
           count(*) FILTER (WHERE is_unique) AS uniques
    FROM stale CROSS JOIN LATERAL (
      SELECT class, is_unique FROM scans WHERE owner_id = $1 AND scanned_at >= stale.starts_at
        AND scanned_at < stale.starts_at + interval '15 minutes'
        AND id >= lpad(to_hex(extract(epoch FROM stale.starts_at)::bigint), 8, '0')
        AND id < lpad(to_hex(extract(epoch FROM stale.starts_at)::bigint + 900), 8, '0') OFFSET 0) AS scan
    WHERE span = 'QUARTER' GROUP BY stale.starts_at
  ), recent AS (
    SELECT starts_at, total, humans, uniques FROM scan_rollups
    WHERE subject_id = $1 AND span = 'QUARTER' AND starts_at >= $4::timestamptz
      AND starts_at NOT IN (SELECT starts_at FROM stale WHERE span = 'QUARTER')
    UNION ALL
    SELECT starts_at, total, humans, uniques FROM fresh WHERE starts_at >= $4::timestamptz
  ), ever AS (
    SELECT total, humans, uniques FROM scan_rollups
    WHERE subject_id = $1 AND span = 'DAY' AND starts_at NOT IN (SELECT starts_at FROM stale WHERE span = 'DAY')
    UNION ALL
    SELECT quarter.total, quarter.humans, quarter.uniques
    FROM stale CROSS JOIN LATERAL (
      SELECT starts_at, total, humans, uniques FROM scan_rollups
      WHERE subject_id = $1 AND span = 'QUARTER' AND starts_at >= stale.starts_at
        AND starts_at < stale.starts_at + interval '1 day' OFFSET 0) AS quarter
    WHERE stale.span = 'DAY' AND quarter.starts_at NOT IN (SELECT starts_at FROM stale WHERE span = 'QUARTER')
    UNION ALL
    SELECT total, humans, uniques FROM fresh
  ), expired AS MATERIALIZED (
    SELECT count(*) FILTER (WHERE status = 'ACTIVE') AS active, count(*) FILTER (WHERE status = 'PAUSED') AS paused,
           count(*) FILTER (WHERE status = 'LOST') AS lost, count(*) AS every
    FROM qr_codes WHERE owner_id = $1 AND expires_at <= now() AND expires_at IS NOT NULL AND status <> 'DELETED'
  )
  SELECT
    (SELECT jsonb_build_object(
       'all', coalesce(kept.active + kept.paused + kept.lost + kept.unclaimed, 0),
       'active', coalesce(kept.active - expired.active, 0), 'paused', coalesce(kept.paused - expired.paused, 0),
       'lost', coalesce(kept.lost - expired.lost, 0), 'expired', expired.every)
     FROM expired LEFT JOIN qr_code_counts AS kept ON kept.owner_id = $1) AS codes,
    (SELECT ${counts('')} FROM ever) AS scans,
    by_day.*,
    ${lastScan('id >= $5')} AS "lastScan",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'title', title, 'status', status)
                               ORDER BY place, at DESC, id DESC), '[]')
     FROM (
       (SELECT id, kind, title, 'LOST' AS status, 1 AS place, created_at AS at FROM qr_codes
        WHERE owner_id = $1 AND status = 'LOST' AND (expires_at IS NULL OR expires_at > now())
        ORDER BY created_at DESC, id DESC LIMIT ${MOST_IN_NEED})
       UNION ALL
       (SELECT id, kind, title, 'EXPIRED', 2, expires_at FROM qr_codes
        WHERE owner_id = $1 AND expires_at <= now() AND expires_at IS NOT NULL AND status <> 'DELETED'
        ORDER BY expires_at DESC, id DESC LIMIT ${MOST_IN_NEED})
       ORDER BY place, at DESC, id DESC LIMIT ${MOST_IN_NEED}) AS need) AS attention,
    (SELECT count(*)::int FROM notifications WHERE user_id = $1 AND read_at IS NULL) AS unread,
    (SELECT count(*)::int FROM memory_tags WHERE owner_id = $1) AS "memoryTags"
  FROM (
    SELECT ${counts('FILTER (WHERE starts_at >= $2::timestamptz)')} AS today,
           ${counts('FILTER (WHERE starts_at >= $3::timestamptz AND starts_at < $2::timestamptz)')} AS yesterday,
           ${counts('')} AS week
    FROM recent) AS by_day`;

/**
 * What an owner wants to see first: one statement, as of one moment, whose cost does not grow with their codes; a second
 * one where nothing was scanned for a week. The beginnings of days are full quarters of an hour.
 */
export async function readDashboard(
  { pool }: Pick<Database, 'pool'>,
  ownerId: string,
  since: DaysSince,
): Promise<DashboardFacts> {
  const { rows } = await pool.query<Row>(dashboardQuery(ownerId, since));
  const [row] = rows;
  if (!row) throw new Error('The dashboard has no row.');
  const lastScan = row.lastScan ?? (row.scans.total > 0 ? await lastScanEver(pool, ownerId) : null);
  return { ...row, lastScan: lastScan && { ...lastScan, scannedAt: new Date(lastScan.scannedAt) } };
}

/** The statement of `readDashboard`. It looks for the last scan in the partitions of a week alone. */
export function dashboardQuery(ownerId: string, { today, yesterday, week }: DaysSince) {
  return { name: 'dashboard', text: STATEMENT, values: [ownerId, today, yesterday, week, firstIdAt(week)] };
}

async function lastScanEver(pool: Database['pool'], ownerId: string): Promise<Row['lastScan']> {
  const text = `SELECT ${lastScan('true')} AS "lastScan"`;
  const { rows } = await pool.query<Pick<Row, 'lastScan'>>({ name: 'last-scan', text, values: [ownerId] });
  return rows[0]?.lastScan ?? null;
}

/** The statement's row: times inside JSON are text. */
type Row = Omit<DashboardFacts, 'lastScan'> & {
  lastScan: (Omit<NonNullable<DashboardFacts['lastScan']>, 'scannedAt'> & { scannedAt: string }) | null;
};
