import type { Db } from '../../platform/database.ts';

interface Counts {
  total: number;
  humans: number;
  unique: number;
}

/** What the cards are made from. */
export interface DashboardFacts {
  codes: Counts & { codes: number; active: number; paused: number; lost: number; expired: number };
  today: Counts;
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

/** What an owner wants to see first, as of one moment: one statement. */
export async function readDashboard(
  db: Db,
  ownerId: string,
  since: { today: Date; week: Date },
): Promise<DashboardFacts> {
  const [row] = await db.$queryRaw<Row[]>`
    WITH mine AS (
      SELECT id, created_at, kind, title, scan_count, human_count, unique_count,
             CASE WHEN expires_at <= now() THEN 'EXPIRED' ELSE status END AS status
      FROM qr_codes WHERE owner_id = ${ownerId} AND status <> 'DELETED'
    ), recent AS (
      SELECT scan.class, scan.visitor_hash, scan.scanned_at >= ${since.today} AS is_today
      FROM scans AS scan JOIN mine ON mine.id = scan.qr_code_id
      WHERE scan.owner_id = ${ownerId} AND scan.scanned_at >= ${since.week}
    )
    SELECT
      (SELECT jsonb_build_object(
         'codes', count(*),
         'active', count(*) FILTER (WHERE status = 'ACTIVE'),
         'paused', count(*) FILTER (WHERE status = 'PAUSED'),
         'lost', count(*) FILTER (WHERE status = 'LOST'),
         'expired', count(*) FILTER (WHERE status = 'EXPIRED'),
         'total', coalesce(sum(scan_count), 0),
         'humans', coalesce(sum(human_count), 0),
         'unique', coalesce(sum(unique_count), 0)) FROM mine) AS codes,
      (SELECT jsonb_build_object(
         'total', count(*),
         'humans', count(*) FILTER (WHERE class = 'HUMAN'),
         'unique', count(DISTINCT visitor_hash) FILTER (WHERE class = 'HUMAN'))
       FROM recent WHERE is_today) AS today,
      (SELECT jsonb_build_object(
         'total', count(*),
         'humans', count(*) FILTER (WHERE class = 'HUMAN'),
         'unique', count(DISTINCT visitor_hash) FILTER (WHERE class = 'HUMAN'))
       FROM recent) AS week,
      (SELECT jsonb_build_object(
         'id', scan.id, 'qrCodeId', scan.qr_code_id, 'title', mine.title, 'class', scan.class,
         'scannedAt', scan.scanned_at, 'city', scan.city, 'region', scan.region, 'country', scan.country)
       FROM scans AS scan JOIN mine ON mine.id = scan.qr_code_id
       WHERE scan.owner_id = ${ownerId}
       ORDER BY scan.scanned_at DESC, scan.id DESC LIMIT 1) AS "lastScan",
      (SELECT coalesce(jsonb_agg(to_jsonb(need) - 'created_at' ORDER BY need.created_at DESC, need.id DESC), '[]')
       FROM (SELECT id, kind, title, status, created_at FROM mine WHERE status IN ('LOST', 'EXPIRED')
             ORDER BY created_at DESC, id DESC LIMIT 10) AS need) AS attention,
      (SELECT count(*)::int FROM notifications WHERE user_id = ${ownerId} AND read_at IS NULL) AS unread,
      (SELECT count(*)::int FROM memory_tags WHERE owner_id = ${ownerId}) AS "memoryTags"`;
  if (!row) throw new Error('The dashboard has no row.');
  const { lastScan } = row;
  return { ...row, lastScan: lastScan && { ...lastScan, scannedAt: new Date(lastScan.scannedAt) } };
}

/** The statement's row: times inside JSON are text. */
type Row = Omit<DashboardFacts, 'lastScan'> & {
  lastScan: (Omit<NonNullable<DashboardFacts['lastScan']>, 'scannedAt'> & { scannedAt: string }) | null;
};
