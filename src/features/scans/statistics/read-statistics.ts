import type { Static } from 'typebox';
import type { Database } from '../../../platform/database.ts';
import { type PgConnection, runPgTransaction } from '../../../platform/driver-transaction.ts';
import {
  countScansByDimensionValue,
  countScansByInterval,
  countScansInPeriod,
  type DimensionValueScanCounts,
  findFirstAndLastScanTime,
} from './statistics.repository.ts';
import type { ScanStatistics } from './statistics.schemas.ts';
import type { ScanStatisticsInterval, ScanStatisticsPeriod } from './statistics-period.rules.ts';

const MAX_VALUES_PER_DIMENSION = 50;

interface StatisticsOptions {
  period: ScanStatisticsPeriod;
  before: ScanStatisticsPeriod;
  interval: ScanStatisticsInterval;
  timeZone: string;
}

export async function readScanStatistics(
  database: Pick<Database, 'pool'>,
  options: StatisticsOptions,
): Promise<Static<typeof ScanStatistics>> {
  return runPgTransaction(database, 'SNAPSHOT', (connection) =>
    readScanStatisticsInTransaction(connection, options),
  );
}

export async function readScanStatisticsInTransaction(
  connection: PgConnection,
  options: StatisticsOptions,
): Promise<Static<typeof ScanStatistics>> {
  const { period, before, interval, timeZone } = options;
  const read = {
    counts: await countScansInPeriod(connection, period),
    previous: await countScansInPeriod(connection, before),
    series: await countScansByInterval(connection, period, interval, timeZone),
    values: await countScansByDimensionValue(connection, period, MAX_VALUES_PER_DIMENSION),
    ends: await findFirstAndLastScanTime(connection, period),
  };
  const by = (dimension: string) =>
    read.values
      .filter((row) => row.dimension === dimension)
      .map(({ value, total, humans, unique }: DimensionValueScanCounts) => ({
        value,
        total,
        humans,
        unique,
      }));
  return {
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    timeZone,
    interval,
    ...read.counts,
    previous: { from: before.from.toISOString(), to: before.to.toISOString(), ...read.previous },
    firstScanAt: read.ends.first?.toISOString() ?? null,
    lastScanAt: read.ends.last?.toISOString() ?? null,
    series: read.series.map(({ startsAt, ...counts }) => ({ startsAt: startsAt.toISOString(), ...counts })),
    classes: by('class'),
    countries: by('country'),
    cities: by('city'),
    devices: by('device'),
    operatingSystems: by('os'),
    browsers: by('browser'),
  };
}
