import type { Database } from '../../../platform/database.ts';
import { runPgTransaction } from '../../../platform/driver-transaction.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { readScanStatisticsInTransaction } from '../statistics/read-statistics.ts';
import { countScansByWeekdayAndHour, listTopCodes } from '../statistics/statistics.repository.ts';
import {
  limitStatisticsPeriod,
  parseStatisticsPeriods,
  type ScanStatisticsPeriod,
  type ScanStatisticsPeriodInput,
} from '../statistics/statistics-period.rules.ts';
import { findOwnQrCodeTitle, listRecentScans } from './report.repository.ts';
import { chooseScanReportInterval, type ScanReportData } from './report-content.rules.ts';

/** Repeats are folded, so that fewer are shown. */
const MAX_RECENT_SCANS = 200;

const MAX_CODES = 10;

/** Whole weeks, so that each weekday counts as often. Bounds the 15-minute buckets that are read. */
const MAX_WEEKDAY_DAYS = 13 * 7;

/** Read from one snapshot. @throws NOT_FOUND, and VALIDATION_FAILED as `parseStatisticsPeriods` */
export async function readScanReportData(
  database: Pick<Database, 'pool'>,
  accountId: string,
  options: { qrCodeId?: string | undefined; timeZone: string } & Omit<ScanStatisticsPeriodInput, 'interval'>,
  now: Date,
): Promise<ScanReportData> {
  const { qrCodeId, timeZone, from, to } = options;
  const subject: ScanStatisticsPeriod['subject'] = qrCodeId
    ? { type: 'QRCODE', id: qrCodeId }
    : { type: 'OWNER', id: accountId };
  const { period, before } = parseStatisticsPeriods({ from, to, interval: 'month' }, subject, timeZone, now);
  const interval = chooseScanReportInterval(period);
  const weekdayPeriod = limitStatisticsPeriod(period, MAX_WEEKDAY_DAYS, timeZone);
  return runPgTransaction(database, 'SNAPSHOT', async (connection) => {
    const title = qrCodeId ? await findOwnQrCodeTitle(connection, accountId, qrCodeId) : null;
    if (qrCodeId && title === null) throw new ServiceError('NOT_FOUND');
    return {
      title,
      madeAt: now,
      statistics: await readScanStatisticsInTransaction(connection, { period, before, interval, timeZone }),
      topCodes: qrCodeId ? [] : await listTopCodes(connection, period, MAX_CODES),
      weekdayHours: {
        from: weekdayPeriod.from > period.from ? weekdayPeriod.from : null,
        counts: await countScansByWeekdayAndHour(connection, weekdayPeriod, timeZone),
      },
      lastScans: await listRecentScans(connection, period, MAX_RECENT_SCANS),
    };
  });
}
