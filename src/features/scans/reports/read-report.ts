import type { Database } from '../../../platform/database.ts';
import { runPgTransaction } from '../../../platform/driver-transaction.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { readScanStatisticsInTransaction } from '../statistics/read-statistics.ts';
import {
  parseStatisticsPeriods,
  type ScanStatisticsPeriod,
  type ScanStatisticsPeriodInput,
} from '../statistics/statistics-period.rules.ts';
import { findOwnQrCodeTitle, listRecentScans } from './report.repository.ts';
import { chooseScanReportInterval, type ScanReportData } from './report-content.rules.ts';

const MAX_RECENT_SCANS = 20;

/** Read from one snapshot. @throws NOT_FOUND, and VALIDATION_FAILED as `parseStatisticsPeriods` */
export async function readScanReportData(
  database: Pick<Database, 'pool'>,
  ownerId: string,
  options: { qrCodeId?: string | undefined; timeZone: string } & Omit<ScanStatisticsPeriodInput, 'interval'>,
  now: Date,
): Promise<ScanReportData> {
  const { qrCodeId, timeZone, from, to } = options;
  const subject: ScanStatisticsPeriod['subject'] = qrCodeId
    ? { type: 'QRCODE', id: qrCodeId }
    : { type: 'OWNER', id: ownerId };
  const { period, before } = parseStatisticsPeriods({ from, to, interval: 'month' }, subject, timeZone, now);
  const interval = chooseScanReportInterval(period);
  return runPgTransaction(database, 'SNAPSHOT', async (connection) => {
    const title = qrCodeId ? await findOwnQrCodeTitle(connection, ownerId, qrCodeId) : null;
    if (qrCodeId && title === null) throw new ServiceError('NOT_FOUND');
    return {
      title,
      madeAt: now,
      statistics: await readScanStatisticsInTransaction(connection, { period, before, interval, timeZone }),
      lastScans: await listRecentScans(connection, period, MAX_RECENT_SCANS),
    };
  });
}
