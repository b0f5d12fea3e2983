import type { Database } from '../../../platform/database.ts';
import { runPgTransaction } from '../../../platform/driver-transaction.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { readStatisticsInTransaction } from '../statistics/read-statistics.ts';
import {
  type PeriodInput,
  parsePeriods,
  type StatisticsPeriod,
} from '../statistics/statistics-period.rules.ts';
import { findOwnQrCodeTitle, listRecentScans } from './report.repository.ts';
import { chooseInterval, type ReportData } from './report-content.rules.ts';

const MAX_RECENT_SCANS = 20;

/** Read from one snapshot. @throws NOT_FOUND, and VALIDATION_FAILED as `parsePeriods` */
export async function readReportData(
  database: Pick<Database, 'pool'>,
  ownerId: string,
  options: { qrCodeId?: string | undefined; timeZone: string } & Omit<PeriodInput, 'interval'>,
  now: Date,
): Promise<ReportData> {
  const { qrCodeId, timeZone, from, to } = options;
  const subject: StatisticsPeriod['subject'] = qrCodeId
    ? { type: 'QRCODE', id: qrCodeId }
    : { type: 'OWNER', id: ownerId };
  const { period, before } = parsePeriods({ from, to, interval: 'month' }, subject, timeZone, now);
  const interval = chooseInterval(period);
  return runPgTransaction(database, 'SNAPSHOT', async (connection) => {
    const title = qrCodeId ? await findOwnQrCodeTitle(connection, ownerId, qrCodeId) : null;
    if (qrCodeId && title === null) throw new ServiceError('NOT_FOUND');
    return {
      title,
      madeAt: now,
      statistics: await readStatisticsInTransaction(connection, { period, before, interval, timeZone }),
      lastScans: await listRecentScans(connection, period, MAX_RECENT_SCANS),
    };
  });
}
