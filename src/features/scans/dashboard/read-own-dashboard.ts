import type { Database } from '../../../platform/database.ts';
import { getStartOfDay, getStartOfEarlierDay } from '../../../shared/day-start.ts';
import { type DashboardData, readDashboard } from './dashboard.repository.ts';

/** Read the dashboard of an account, with the days of its time zone. */
export function readOwnDashboard(
  database: Database,
  accountId: string,
  timeZone: string,
): Promise<DashboardData> {
  const now = new Date();
  const since = {
    today: getStartOfDay(now, timeZone),
    yesterday: getStartOfEarlierDay(now, 1, timeZone),
    week: getStartOfEarlierDay(now, 6, timeZone),
  };
  return database.read((db) => readDashboard(db, accountId, since));
}
