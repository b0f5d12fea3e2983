import { type Static, Type } from 'typebox';
import { nullable, oneOf, Timestamp } from '../../shared/common.schemas.ts';

const Counts = {
  total: Type.Integer({ description: 'Scans of all classes.' }),
  humans: Type.Integer({ description: 'Scans by people.' }),
  unique: Type.Integer({
    description:
      'First scans of a visitor on a code and UTC day: over a longer time the sum of its days, since nobody is followed from one day to the next.',
  }),
};

const ByValue = Type.Array(Type.Object({ value: Type.String(), ...Counts }), {
  description: 'Most first, at most 50; scans of which nothing is known are left out.',
});

/** What statistics can be asked for. */
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
    oneOf(['hour', 'day', 'week', 'month'], {
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
    interval: oneOf(['hour', 'day', 'week', 'month']),
    ...Counts,
    previous: Type.Object(
      { from: Timestamp, to: Timestamp, ...Counts },
      { description: 'The time of the same length before.' },
    ),
    firstScanAt: nullable(Timestamp),
    lastScanAt: nullable(Timestamp),
    series: Type.Array(Type.Object({ startsAt: Timestamp, ...Counts }), {
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

export type AskedStatistics = Static<typeof StatisticsQuery>;
