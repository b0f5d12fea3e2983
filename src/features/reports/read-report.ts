import type { Database } from '../../platform/database.ts';
import { runDriverTransaction } from '../../platform/driver-transaction.ts';
import { ServiceError } from '../../shared/errors.ts';
import { statisticsFrom } from '../statistics/read-statistics.ts';
import { type AskedPeriod, type Period, periodsOf } from '../statistics/statistics-period.rules.ts';
import { lastScans, titleOfOwnCode } from './report.repository.ts';
import { intervalFor, type ReportFacts } from './report-content.rules.ts';

/** Scans in the list of the last ones. */
const MOST_SCANS = 20;

/**
 * What a report says of an owner's codes or of one of them, all of one state of the database. Throws NOT_FOUND for a
 * code that is not theirs, and VALIDATION_FAILED as `periodsOf` does.
 */
export async function readReport(
  database: Pick<Database, 'pool'>,
  ownerId: string,
  asked: { qrCodeId?: string | undefined; timeZone: string } & Omit<AskedPeriod, 'interval'>,
  now: Date,
): Promise<ReportFacts> {
  const { qrCodeId, timeZone, from, to } = asked;
  const subject: Period['subject'] = qrCodeId
    ? { type: 'QRCODE', id: qrCodeId }
    : { type: 'OWNER', id: ownerId };
  const { period, before } = periodsOf({ from, to, interval: 'month' }, subject, timeZone, now);
  const interval = intervalFor(period);
  return runDriverTransaction(database, 'SNAPSHOT', async (connection) => {
    const title = qrCodeId ? await titleOfOwnCode(connection, ownerId, qrCodeId) : null;
    if (qrCodeId && title === null) throw new ServiceError('NOT_FOUND');
    return {
      title,
      madeAt: now,
      statistics: await statisticsFrom(connection, { period, before, interval, timeZone }),
      lastScans: await lastScans(connection, period, MOST_SCANS),
    };
  });
}
