import type { Static } from 'typebox';
import type { Database } from '../../../platform/database.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { isOwnQrCode } from '../scan.repository.ts';
import { readScanStatistics } from './read-statistics.ts';
import type { ScanStatistics } from './statistics.schemas.ts';
import {
  parseStatisticsPeriods,
  type ScanStatisticsPeriod,
  type ScanStatisticsPeriodInput,
} from './statistics-period.rules.ts';

interface OwnStatisticsInput extends ScanStatisticsPeriodInput {
  timeZone: string;
}

/** Read the statistics of all codes of an account. @throws VALIDATION_FAILED */
export async function readOwnScanStatistics(
  database: Database,
  accountId: string,
  input: OwnStatisticsInput,
): Promise<Static<typeof ScanStatistics>> {
  return readSubject(database, { type: 'OWNER', id: accountId }, input);
}

/** Read the statistics of a code. @throws NOT_FOUND for the code of somebody else, VALIDATION_FAILED */
export async function readOwnQrCodeStatistics(
  database: Database,
  { accountId, id }: { accountId: string; id: string },
  input: OwnStatisticsInput,
): Promise<Static<typeof ScanStatistics>> {
  if (!(await isOwnQrCode(database.client, accountId, id))) throw new ServiceError('NOT_FOUND');
  return readSubject(database, { type: 'QRCODE', id }, input);
}

function readSubject(
  database: Database,
  subject: ScanStatisticsPeriod['subject'],
  { timeZone, ...input }: OwnStatisticsInput,
) {
  const periods = parseStatisticsPeriods(input, subject, timeZone, new Date());
  const { interval } = input;
  return database.read((db) => readScanStatistics(db, { ...periods, interval, timeZone }));
}
