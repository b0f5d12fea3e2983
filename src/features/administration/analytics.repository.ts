import type { Db } from '../../platform/database.ts';
import { querySql } from '../../platform/sql.ts';
import { type DailyCounts, fillMissingDailyCounts, getUtcMidnightDaysBefore } from './analytics.rules.ts';
import type { UnstoredDailyCounts } from './count-unstored-days.ts';
import { listStoredDailyCounts, sumStoredScanCounts } from './daily-counts.repository.ts';

export interface ServiceAnalyticsData {
  users: { total: number; byStatus: Record<string, number>; byRole: Record<string, number> };
  qrCodes: { total: number; byStatus: Record<string, number>; byKind: Record<string, number> };
  scans: { total: number; humans: number; unique: number };
  /** The last 60 UTC days including today, oldest first; zeros after `countedTo`. */
  days: DailyCounts[];
  /** The last UTC day that is counted; today if the unstored days could be counted. */
  countedTo: Date;
  memoryTags: number;
  mails: { waiting: number; failed: number };
  openReports: number;
  openCodeReports: number;
  openAppeals: number;
}

const ANALYTICS_DAYS = 60;

/** Read the counts as of one moment: stored days plus those counted now. */
export async function readServiceAnalytics(
  db: Db,
  now: Date,
  unstored: UnstoredDailyCounts,
): Promise<ServiceAnalyticsData> {
  const [from, today] = [getUtcMidnightDaysBefore(now, ANALYTICS_DAYS - 1), getUtcMidnightDaysBefore(now, 0)];
  const stored = await listStoredDailyCounts(db, from, unstored.firstUnstoredDay);
  const before = await sumStoredScanCounts(db, unstored.firstUnstoredDay);
  const counted = unstored.days ?? [];
  const sum = (name: 'scans' | 'humans' | 'uniques') =>
    counted.reduce((total, day) => total + day[name], before[name]);
  return {
    ...(await countByState(db, now)),
    scans: { total: sum('scans'), humans: sum('humans'), unique: sum('uniques') },
    days: fillMissingDailyCounts([...stored, ...counted], from, today),
    countedTo: unstored.days ? today : getUtcMidnightDaysBefore(unstored.firstUnstoredDay, 1),
  };
}

type StateCounts = Pick<
  ServiceAnalyticsData,
  'users' | 'qrCodes' | 'memoryTags' | 'mails' | 'openReports' | 'openCodeReports' | 'openAppeals'
>;

/** Count by state in one statement; codes are read from an index alone. */
async function countByState(db: Db, now: Date): Promise<StateCounts> {
  const [row] = await querySql<StateCounts>(db)`
    WITH user_counts AS (
      SELECT status, role, count(*) AS number FROM users GROUP BY status, role
    ), code_counts AS (
      SELECT kind, CASE WHEN status <> 'DELETED' AND expires_at <= ${now} THEN 'EXPIRED' ELSE status END AS status,
             count(*) AS number
      FROM qr_codes GROUP BY 1, 2
    )
    SELECT
      (SELECT jsonb_build_object('total', coalesce(sum(number), 0),
         'byStatus', (SELECT coalesce(jsonb_object_agg(status, number), '{}')
                      FROM (SELECT status, sum(number) AS number FROM user_counts GROUP BY status) AS sums),
         'byRole', (SELECT coalesce(jsonb_object_agg(role, number), '{}')
                    FROM (SELECT role, sum(number) AS number FROM user_counts GROUP BY role) AS sums))
       FROM user_counts) AS users,
      (SELECT jsonb_build_object('total', coalesce(sum(number), 0),
         'byStatus', (SELECT coalesce(jsonb_object_agg(status, number), '{}')
                      FROM (SELECT status, sum(number) AS number FROM code_counts GROUP BY status) AS sums),
         'byKind', (SELECT coalesce(jsonb_object_agg(kind, number), '{}')
                    FROM (SELECT kind, sum(number) AS number FROM code_counts GROUP BY kind) AS sums))
       FROM code_counts) AS "qrCodes",
      (SELECT count(*)::int FROM memory_tags) AS "memoryTags",
      (SELECT jsonb_build_object('waiting', count(*) FILTER (WHERE status = 'WAITING'),
         'failed', count(*) FILTER (WHERE status = 'FAILED')) FROM outgoing_mails) AS mails,
      (SELECT count(*)::int FROM conversation_reports WHERE decision IS NULL) AS "openReports",
      (SELECT count(DISTINCT qr_code_id)::int FROM qr_code_reports WHERE decision IS NULL) AS "openCodeReports",
      (SELECT count(*)::int FROM qr_code_appeals WHERE decision IS NULL) AS "openAppeals"`;
  if (!row) throw new Error('The analytics have no row.');
  return row;
}
