import type { Db } from '../../platform/database.ts';
import { firstIdAt } from '../../shared/ids.ts';
import type { DayCounts } from './analytics.rules.ts';

/** Clocks of an instance and of the database may differ; an id bears the instance's. */
const CLOCK_SLACK = 60 * 60 * 1000;

const DAY = 24 * 60 * 60 * 1000;

/** The first UTC day that is not kept yet; null where there is nothing to count. */
export async function firstUncountedDay(db: Db): Promise<Date | null> {
  const rows = await db.$queryRaw<{ day: Date | null }[]>`
    SELECT coalesce(
      (SELECT max(day) + 1 FROM service_days),
      (SELECT (min(at) AT TIME ZONE 'UTC')::date FROM (
         (SELECT created_at AS at FROM users ORDER BY id LIMIT 1)
         UNION ALL (SELECT created_at FROM qr_codes ORDER BY id LIMIT 1)
         UNION ALL (SELECT scanned_at FROM scans ORDER BY id LIMIT 1)) AS oldest)) AS day`;
  return rows[0]?.day ?? null;
}

/** Counts the UTC days from one midnight to another (half-open) from the rows themselves; days without any are left out. */
export async function countDays(db: Db, from: Date, to: Date): Promise<DayCounts[]> {
  const first = firstIdAt(new Date(from.getTime() - CLOCK_SLACK));
  const last = firstIdAt(new Date(to.getTime() + CLOCK_SLACK));
  return db.$queryRaw<DayCounts[]>`
    SELECT day, sum(users)::int AS users, sum(codes)::int AS "qrCodes", sum(scans)::int AS scans,
           sum(humans)::int AS humans, sum(uniques)::int AS uniques
    FROM (
      SELECT (created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS users, 0 AS codes, 0 AS scans,
             0 AS humans, 0 AS uniques
      FROM users WHERE id >= ${first} AND id < ${last} AND created_at >= ${from} AND created_at < ${to} GROUP BY 1
      UNION ALL
      SELECT (created_at AT TIME ZONE 'UTC')::date, 0, count(*), 0, 0, 0
      FROM qr_codes WHERE id >= ${first} AND id < ${last} AND created_at >= ${from} AND created_at < ${to} GROUP BY 1
      UNION ALL
      SELECT (scanned_at AT TIME ZONE 'UTC')::date, 0, 0, count(*), count(*) FILTER (WHERE class = 'HUMAN'),
             count(DISTINCT visitor_hash) FILTER (WHERE class = 'HUMAN')
      FROM scans WHERE id >= ${first} AND id < ${last} AND scanned_at >= ${from} AND scanned_at < ${to} GROUP BY 1
    ) AS counted
    GROUP BY day ORDER BY day`;
}

/** Counts one finished day and keeps it; a day that is kept already stays. */
export async function keepDay(db: Db, day: Date): Promise<void> {
  const [counted] = await countDays(db, day, new Date(day.getTime() + DAY));
  const { users = 0, qrCodes = 0, scans = 0, humans = 0, uniques = 0 } = counted ?? {};
  const data = [{ day, users, qrCodes, scans, humans, uniques }];
  await db.serviceDay.createMany({ data, skipDuplicates: true });
}

/** The days kept since one, oldest first. */
export async function listKeptDays(db: Db, since: Date): Promise<DayCounts[]> {
  return db.serviceDay.findMany({ where: { day: { gte: since } }, orderBy: { day: 'asc' } });
}

/** The scans of all days kept. */
export async function sumKeptDays(db: Db): Promise<{ scans: number; humans: number; uniques: number }> {
  const { _sum } = await db.serviceDay.aggregate({ _sum: { scans: true, humans: true, uniques: true } });
  return { scans: _sum.scans ?? 0, humans: _sum.humans ?? 0, uniques: _sum.uniques ?? 0 };
}
