import type { Db } from '../../platform/database.ts';
import { type DayCounts, dayBefore, everyDay } from './analytics.rules.ts';
import type { RunningDays } from './count-running-days.ts';
import { listKeptDays, sumKeptDays } from './service-days.repository.ts';

/** Counts over the whole service. */
export interface AnalyticsFacts {
  users: { total: number; byStatus: Record<string, number>; byRole: Record<string, number> };
  qrCodes: { total: number; byStatus: Record<string, number>; byKind: Record<string, number> };
  /** All scans ever. */
  scans: { total: number; humans: number; unique: number };
  /** The last sixty UTC days with today, oldest first; zeros after the last that is counted. */
  days: DayCounts[];
  /** The last UTC day that is counted, today included where the running days are. */
  countedTo: Date;
  memoryTags: number;
  mails: { waiting: number; failed: number };
  openReports: number;
}

const DAYS = 60;

/** Counts over the whole service, as of one moment: the days kept, and those counted now. */
export async function readAnalytics(db: Db, now: Date, running: RunningDays): Promise<AnalyticsFacts> {
  const [from, today] = [dayBefore(now, DAYS - 1), dayBefore(now, 0)];
  const kept = await listKeptDays(db, from, running.from);
  const before = await sumKeptDays(db, running.from);
  const counted = running.days ?? [];
  const sum = (name: 'scans' | 'humans' | 'uniques') =>
    counted.reduce((total, day) => total + day[name], before[name]);
  return {
    ...(await countStates(db, now)),
    scans: { total: sum('scans'), humans: sum('humans'), unique: sum('uniques') },
    days: everyDay([...kept, ...counted], from, today),
    countedTo: running.days ? today : dayBefore(running.from, 1),
  };
}

type States = Pick<AnalyticsFacts, 'users' | 'qrCodes' | 'memoryTags' | 'mails' | 'openReports'>;

/** How many there are of everything, by what state it is in: one statement, codes from an index alone. */
async function countStates(db: Db, now: Date): Promise<States> {
  const [row] = await db.$queryRaw<States[]>`
    WITH people AS (
      SELECT status, role, count(*) AS number FROM users GROUP BY status, role
    ), codes AS (
      SELECT kind, CASE WHEN status <> 'DELETED' AND expires_at <= ${now} THEN 'EXPIRED' ELSE status END AS status,
             count(*) AS number
      FROM qr_codes GROUP BY 1, 2
    )
    SELECT
      (SELECT jsonb_build_object('total', coalesce(sum(number), 0),
         'byStatus', (SELECT coalesce(jsonb_object_agg(status, number), '{}')
                      FROM (SELECT status, sum(number) AS number FROM people GROUP BY status) AS sums),
         'byRole', (SELECT coalesce(jsonb_object_agg(role, number), '{}')
                    FROM (SELECT role, sum(number) AS number FROM people GROUP BY role) AS sums))
       FROM people) AS users,
      (SELECT jsonb_build_object('total', coalesce(sum(number), 0),
         'byStatus', (SELECT coalesce(jsonb_object_agg(status, number), '{}')
                      FROM (SELECT status, sum(number) AS number FROM codes GROUP BY status) AS sums),
         'byKind', (SELECT coalesce(jsonb_object_agg(kind, number), '{}')
                    FROM (SELECT kind, sum(number) AS number FROM codes GROUP BY kind) AS sums))
       FROM codes) AS "qrCodes",
      (SELECT count(*)::int FROM memory_tags) AS "memoryTags",
      (SELECT jsonb_build_object('waiting', count(*) FILTER (WHERE status = 'WAITING'),
         'failed', count(*) FILTER (WHERE status = 'FAILED')) FROM outgoing_mails) AS mails,
      (SELECT count(*)::int FROM conversation_reports WHERE decision IS NULL) AS "openReports"`;
  if (!row) throw new Error('The analytics have no row.');
  return row;
}
