import { type Static, Type } from 'typebox';
import { nullable, stringEnum, Timestamp } from '../../../shared/common.schemas.ts';
import { SCAN_COUNT_PROPERTIES } from '../../../shared/scan-counts.schemas.ts';

const ByValue = Type.Array(Type.Object({ value: Type.String(), ...SCAN_COUNT_PROPERTIES }), {
  description: 'Most first, at most 50; scans of which nothing is known are left out.',
});

export const StatisticsQuery = Type.Object({
  from: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'Beginning: a day of the time zone, or a date-time at a full quarter of an hour. Usually 29 days before today.',
    }),
  ),
  to: Type.Optional(
    Type.String({ maxLength: 40, description: 'End, itself not included. Usually the end of today.' }),
  ),
  interval: Type.Optional(
    stringEnum(['hour', 'day', 'week', 'month'], {
      default: 'day',
      description: 'What the series is cut into; weeks begin on Mondays.',
    }),
  ),
  timeZone: Type.Optional(Type.String({ maxLength: 64, description: 'IANA name; usually the account’s.' })),
});

export const ScanStatistics = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    timeZone: Type.String(),
    interval: stringEnum(['hour', 'day', 'week', 'month']),
    ...SCAN_COUNT_PROPERTIES,
    previous: Type.Object(
      { from: Timestamp, to: Timestamp, ...SCAN_COUNT_PROPERTIES },
      { description: 'The time of the same length before.' },
    ),
    firstScanAt: nullable(Timestamp),
    lastScanAt: nullable(Timestamp),
    series: Type.Array(Type.Object({ startsAt: Timestamp, ...SCAN_COUNT_PROPERTIES }), {
      description: 'Every stretch of the period, those without scans too; the first may begin before it.',
    }),
    classes: ByValue,
    countries: ByValue,
    cities: ByValue,
    devices: ByValue,
    operatingSystems: ByValue,
    browsers: ByValue,
  },
  { $id: 'ScanStatistics' },
);

export type StatisticsQueryParams = Static<typeof StatisticsQuery>;
