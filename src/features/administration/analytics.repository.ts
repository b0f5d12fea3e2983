import type { Db } from '../../platform/database.ts';
import { firstIdAt } from '../../shared/ids.ts';

interface Counts {
  total: number;
  humans: number;
  unique: number;
}

/** Counts over the whole service. */
export interface AnalyticsFacts {
  users: {
    total: number;
    byStatus: Record<string, number>;
    byRole: Record<string, number>;
    newLast7Days: number;
    newLast30Days: number;
  };
  qrCodes: {
    total: number;
    byStatus: Record<string, number>;
    byKind: Record<string, number>;
    newLast7Days: number;
    newLast30Days: number;
  };
  scans: Counts;
  last24Hours: Counts;
  last7Days: Counts;
  last30Days: Counts;
  memoryTags: number;
  mails: { waiting: number; failed: number };
}

const DAY = 24 * 60 * 60 * 1000;

/** Clocks of an instance and of the database may differ; an id bears the instance's. */
const CLOCK_SLACK = 60 * 60 * 1000;

/** Counts over the whole service, as of one moment: one statement. */
export async function readAnalytics(db: Db, now: Date): Promise<AnalyticsFacts> {
  const [day, week, month] = [1, 7, 30].map((days) => new Date(now.getTime() - days * DAY));
  const firstId = firstIdAt(new Date(now.getTime() - 30 * DAY - CLOCK_SLACK));
  const [row] = await db.$queryRaw<AnalyticsFacts[]>`
    WITH people AS (
      SELECT status, role, count(*) AS number,
             count(*) FILTER (WHERE created_at >= ${week}) AS week,
             count(*) FILTER (WHERE created_at >= ${month}) AS month
      FROM users GROUP BY status, role
    ), codes AS (
      SELECT kind, CASE WHEN status <> 'DELETED' AND expires_at <= ${now} THEN 'EXPIRED' ELSE status END AS status,
             count(*) AS number, sum(scan_count) AS total, sum(human_count) AS humans, sum(unique_count) AS uniques,
             count(*) FILTER (WHERE created_at >= ${week}) AS week,
             count(*) FILTER (WHERE created_at >= ${month}) AS month
      FROM qr_codes GROUP BY 1, 2
    ), recent AS (
      SELECT scanned_at, class, visitor_hash FROM scans
      WHERE id >= ${firstId} AND scanned_at >= ${month}
    )
    SELECT
      (SELECT jsonb_build_object('total', coalesce(sum(number), 0),
         'newLast7Days', coalesce(sum(week), 0), 'newLast30Days', coalesce(sum(month), 0),
         'byStatus', (SELECT coalesce(jsonb_object_agg(status, number), '{}')
                      FROM (SELECT status, sum(number) AS number FROM people GROUP BY status) AS sums),
         'byRole', (SELECT coalesce(jsonb_object_agg(role, number), '{}')
                    FROM (SELECT role, sum(number) AS number FROM people GROUP BY role) AS sums))
       FROM people) AS users,
      (SELECT jsonb_build_object('total', coalesce(sum(number), 0),
         'newLast7Days', coalesce(sum(week), 0), 'newLast30Days', coalesce(sum(month), 0),
         'byStatus', (SELECT coalesce(jsonb_object_agg(status, number), '{}')
                      FROM (SELECT status, sum(number) AS number FROM codes GROUP BY status) AS sums),
         'byKind', (SELECT coalesce(jsonb_object_agg(kind, number), '{}')
                    FROM (SELECT kind, sum(number) AS number FROM codes GROUP BY kind) AS sums))
       FROM codes) AS "qrCodes",
      (SELECT jsonb_build_object('total', coalesce(sum(total), 0), 'humans', coalesce(sum(humans), 0),
         'unique', coalesce(sum(uniques), 0)) FROM codes) AS scans,
      (SELECT jsonb_build_object('total', count(*), 'humans', count(*) FILTER (WHERE class = 'HUMAN'),
         'unique', count(DISTINCT visitor_hash) FILTER (WHERE class = 'HUMAN'))
       FROM recent WHERE scanned_at >= ${day}) AS "last24Hours",
      (SELECT jsonb_build_object('total', count(*), 'humans', count(*) FILTER (WHERE class = 'HUMAN'),
         'unique', count(DISTINCT visitor_hash) FILTER (WHERE class = 'HUMAN'))
       FROM recent WHERE scanned_at >= ${week}) AS "last7Days",
      (SELECT jsonb_build_object('total', count(*), 'humans', count(*) FILTER (WHERE class = 'HUMAN'),
         'unique', count(DISTINCT visitor_hash) FILTER (WHERE class = 'HUMAN'))
       FROM recent) AS "last30Days",
      (SELECT count(*)::int FROM memory_tags) AS "memoryTags",
      (SELECT jsonb_build_object('waiting', count(*) FILTER (WHERE status = 'WAITING'),
         'failed', count(*) FILTER (WHERE status = 'FAILED')) FROM outgoing_mails) AS mails`;
  if (!row) throw new Error('The analytics have no row.');
  return row;
}
