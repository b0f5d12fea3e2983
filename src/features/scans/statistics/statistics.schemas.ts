import { type Static, Type } from 'typebox';
import {
  createDateOrDateTimeSchema,
  nullable,
  stringEnum,
  Timestamp,
} from '../../../shared/common.schemas.ts';
import { SCAN_COUNT_SCHEMA_PROPERTIES } from '../../../shared/scan-counts.schemas.ts';

export const ScanCountsByValue = Type.Array(
  Type.Object({ value: Type.String(), ...SCAN_COUNT_SCHEMA_PROPERTIES }),
  {
    description: 'Descending, at most 50; scans with unknown values are omitted.',
  },
);

export const ScanStatisticsQuery = Type.Object({
  from: Type.Optional(
    createDateOrDateTimeSchema(
      'Start: a date in the time zone, or a date-time on a quarter of an hour. Default 29 days before today.',
    ),
  ),
  to: Type.Optional(createDateOrDateTimeSchema('Exclusive end. Default the end of today.')),
  interval: stringEnum(['hour', 'day', 'week', 'month'], {
    default: 'day',
    description: 'Interval of the series; weeks start on Monday.',
  }),
  timeZone: Type.Optional(
    Type.String({
      maxLength: 64,
      format: 'time-zone',
      description: 'IANA time zone. Default: the time zone of the account.',
    }),
  ),
});

export const ScanStatistics = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    timeZone: Type.String(),
    interval: stringEnum(['hour', 'day', 'week', 'month']),
    ...SCAN_COUNT_SCHEMA_PROPERTIES,
    previous: Type.Object(
      { from: Timestamp, to: Timestamp, ...SCAN_COUNT_SCHEMA_PROPERTIES },
      { description: 'Counts of the previous period of the same length.' },
    ),
    firstScanAt: nullable(Timestamp),
    lastScanAt: nullable(Timestamp),
    series: Type.Array(Type.Object({ startsAt: Timestamp, ...SCAN_COUNT_SCHEMA_PROPERTIES }), {
      description:
        'All intervals of the period, including those without scans; the first may start before it.',
    }),
    classes: ScanCountsByValue,
    countries: ScanCountsByValue,
    cities: ScanCountsByValue,
    devices: ScanCountsByValue,
    operatingSystems: ScanCountsByValue,
    browsers: ScanCountsByValue,
  },
  { $id: 'ScanStatistics' },
);

export type ScanStatisticsQueryParams = Static<typeof ScanStatisticsQuery>;
