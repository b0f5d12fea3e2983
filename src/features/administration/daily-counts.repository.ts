import { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { querySql } from '../../platform/sql.ts';
import { DAY_MS, HOUR_MS } from '../../shared/durations.ts';
import { getMinIdAt } from '../../shared/ids.ts';
import type { DailyCounts } from './analytics.rules.ts';

/** Ids contain the time of an instance, whose clock may differ from that of the database. */
const CLOCK_SKEW_MS = HOUR_MS;

/** Find the first UTC day without stored counts; null if there is nothing to count. */
export async function findFirstUnstoredDay(db: Db): Promise<Date | null> {
  const stored = await querySql<{ day: Date | null }>(db)`
    SELECT max(day) + 1 AS day FROM daily_service_counts`;
  if (stored[0]?.day) return stored[0].day;
  const oldest = await querySql<{ day: Date | null }>(db)`
    SELECT (min(at) AT TIME ZONE 'UTC')::date AS day FROM (
      (SELECT created_at AS at FROM users ORDER BY id LIMIT 1)
      UNION ALL (SELECT created_at FROM qr_codes ORDER BY id LIMIT 1)
      UNION ALL (SELECT scanned_at FROM scans ORDER BY id LIMIT 1)) AS oldest`;
  return oldest[0]?.day ?? null;
}

/** Count the UTC days of a half-open range from the rows; days without any are left out. */
async function computeDailyCounts(db: Db, from: Date, to: Date): Promise<DailyCounts[]> {
  const first = getMinIdAt(new Date(from.getTime() - CLOCK_SKEW_MS));
  const last = getMinIdAt(new Date(to.getTime() + CLOCK_SKEW_MS));
  return querySql<DailyCounts>(db)`
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

/** Count like `computeDailyCounts`; null if it takes longer than the timeout. */
export async function computeDailyCountsWithTimeout(
  tx: Tx,
  from: Date,
  to: Date,
  milliseconds: number,
): Promise<DailyCounts[] | null> {
  await querySql(tx)`SELECT set_config('statement_timeout', ${String(milliseconds)}, true)`;
  try {
    return await computeDailyCounts(tx, from, to);
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}

/** Count a finished day and store it, unless it is stored already. */
export async function computeAndStoreDailyCounts(db: Db, day: Date): Promise<void> {
  const [counted] = await computeDailyCounts(db, day, new Date(day.getTime() + DAY_MS));
  const { users = 0, qrCodes = 0, scans = 0, humans = 0, uniques = 0 } = counted ?? {};
  const data = [{ day, users, qrCodes, scans, humans, uniques }];
  await db.dailyServiceCount.createMany({ data, skipDuplicates: true });
}

export async function listStoredDailyCounts(db: Db, since: Date, before: Date): Promise<DailyCounts[]> {
  return db.dailyServiceCount.findMany({
    where: { day: { gte: since, lt: before } },
    orderBy: { day: 'asc' },
  });
}

export async function sumStoredScanCounts(
  db: Db,
  before: Date,
): Promise<{ scans: number; humans: number; uniques: number }> {
  const { _sum } = await db.dailyServiceCount.aggregate({
    where: { day: { lt: before } },
    _sum: { scans: true, humans: true, uniques: true },
  });
  return { scans: _sum.scans ?? 0, humans: _sum.humans ?? 0, uniques: _sum.uniques ?? 0 };
}

/** SQLSTATE 57014: query_canceled. */
function isStatementTimeout(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  const { driverAdapterError: driver } = error.meta ?? {};
  return driver instanceof Error && Reflect.get(Object(driver.cause), 'originalCode') === '57014';
}
