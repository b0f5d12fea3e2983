import type { Static } from 'typebox';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { ScanStatistics } from '../statistics/statistics.schemas.ts';
import type { ScanStatisticsInterval } from '../statistics/statistics-period.rules.ts';
import { createBarChart, createLineChart, type ReportChart } from './report-chart.rules.ts';
import {
  createScanReportFormatter,
  type ScanReportCounts,
  type ScanReportFormatter,
} from './report-formatter.ts';
import { foldRepeatedScans } from './report-repeats.rules.ts';
import {
  createWeekdayHourChart,
  type WeekdayHourChart,
  type WeekdayHourCount,
} from './weekday-hour-chart.rules.ts';

export interface RecentScan {
  scannedAt: Date;
  class: string;
  city: string | null;
  country: string | null;
  device: string;
  os: string;
  browser: string;
  title: string;
  /** The same for scans of one visitor and code on a day. */
  visitor: string;
}

export interface ScanReportData {
  title: string | null;
  madeAt: Date;
  statistics: Static<typeof ScanStatistics>;
  /** Empty for a report on one code. */
  topCodes: readonly (ScanReportCounts & { title: string })[];
  weekdayHours: {
    /** Null where all of the period is counted. */
    from: Date | null;
    counts: readonly WeekdayHourCount[];
  };
  /** Newest first. */
  lastScans: readonly RecentScan[];
}

export interface ReportCountryMap {
  heading: string;
  summary: string;
  legend: string;
  /** Scans by people, by ISO 3166-1 alpha-2. */
  counts: ReadonlyMap<string, number>;
}

export interface ScanReportContent {
  locale: Locale;
  heading: string;
  period: string;
  madeAt: string;
  numbers: readonly { name: string; value: string; change: string; meaning: string }[];
  lastScan: string;
  line: ReportChart;
  /** Null where nothing was scanned, and for a report on one code. */
  topCodes: ReportChart | null;
  /** Null for less than a week. */
  weekdayHours: WeekdayHourChart | null;
  /** Null where nothing was scanned. */
  breakdowns: {
    map: ReportCountryMap;
    countries: ReportChart;
    cities: ReportChart;
    devices: ReportChart;
    classes: ReportChart;
  } | null;
  hasTitles: boolean;
  scans: readonly { at: string; iso: string; title: string; place: string; by: string; device: string }[];
}

/** A week in which clocks go forward has an hour less. */
const MIN_WEEKDAY_PERIOD_MS = 7 * DAY_MS - HOUR_MS;

const MAX_SCANS = 20;

/** Choose an interval with at most about 100 points. */
export function chooseScanReportInterval({ from, to }: { from: Date; to: Date }): ScanStatisticsInterval {
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  if (days <= 3) return 'hour';
  if (days <= 100) return 'day';
  return days <= 740 ? 'week' : 'month';
}

export function createScanReportContent(
  { title, madeAt, statistics, topCodes, weekdayHours, lastScans }: ScanReportData,
  locale: Locale,
): ScanReportContent {
  const { timeZone, previous } = statistics;
  const formatter = createScanReportFormatter(locale);
  const time = formatter.dates({ timeZone, dateStyle: 'medium', timeStyle: 'short' });
  const day = formatter.dates({ timeZone, dateStyle: 'long' });
  const from = new Date(statistics.from);
  const last = new Date(Date.parse(statistics.to) - 1);
  const isDays = isMidnight(from, timeZone) && isMidnight(new Date(statistics.to), timeZone);
  const format = isDays ? day : time;
  const days = isDays ? Math.round((Date.parse(statistics.to) - from.getTime()) / DAY_MS) : null;
  const number = (name: string, key: keyof ScanReportCounts, meaning: string) => ({
    name,
    value: formatter.number(statistics[key]),
    change: formatter.change(statistics[key], previous[key], days),
    meaning,
  });
  const newest = lastScans[0];
  const formatPeriod = (start: Date) =>
    t(locale, 'report.period', {
      from: format.format(start),
      to: format.format(isDays ? last : new Date(statistics.to)),
      timeZone,
    });
  return {
    locale,
    heading: title ?? t(locale, 'report.allCodes'),
    period: formatPeriod(from),
    madeAt: t(locale, 'report.createdAt', { time: time.format(madeAt) }),
    numbers: [
      number(t(locale, 'report.scans'), 'total', t(locale, 'report.scansText')),
      number(t(locale, 'report.people'), 'humans', t(locale, 'report.peopleText')),
      number(t(locale, 'report.unique'), 'unique', t(locale, 'report.uniqueText')),
    ],
    lastScan: newest
      ? t(locale, 'report.lastScanned', {
          time: time.format(newest.scannedAt),
          place: formatter.place(newest) || t(locale, 'report.placeUnknown'),
        })
      : t(locale, 'report.notScanned'),
    line: createLineChart(formatter, statistics),
    topCodes:
      topCodes.length > 0
        ? createBarChart(
            formatter,
            t(locale, 'report.topCodes'),
            t(locale, 'report.code'),
            topCodes.map(({ title: value, ...counts }) => ({ value, ...counts })),
            (name) => name,
            topCodes.length,
          )
        : null,
    weekdayHours:
      statistics.humans > 0 && Date.parse(statistics.to) - from.getTime() >= MIN_WEEKDAY_PERIOD_MS
        ? createWeekdayHourChart(formatter, weekdayHours.counts, formatPeriod(weekdayHours.from ?? from))
        : null,
    breakdowns: statistics.total > 0 ? createBreakdowns(formatter, statistics) : null,
    hasTitles: title === null,
    scans: foldRepeatedScans(lastScans)
      .slice(0, MAX_SCANS)
      .map(({ scan, repeats }) => ({
        at: time.format(scan.scannedAt),
        iso: scan.scannedAt.toISOString(),
        title: scan.title,
        place: formatter.place(scan) || t(locale, 'report.unknown'),
        by: [
          formatter.scanClass(scan.class),
          ...(repeats > 0 ? [t(locale, 'report.repeats', { count: repeats })] : []),
        ].join(' '),
        device: formatter.agent(scan),
      })),
  };
}

function createBreakdowns(
  formatter: ScanReportFormatter,
  { countries, cities, devices, classes }: ScanReportData['statistics'],
): NonNullable<ScanReportContent['breakdowns']> {
  const { locale } = formatter;
  const humanCountries = countries.filter(({ humans }) => humans > 0);
  const maxRow = humanCountries.reduce((best, row) => (row.humans > best.humans ? row : best), {
    value: '',
    humans: 0,
  });
  const heading = t(locale, 'report.countries');
  return {
    map: {
      heading,
      summary:
        humanCountries.length > 0
          ? t(locale, 'report.peopleSummary', {
              maxScans: maxRow.humans,
              when: formatter.country(maxRow.value),
            })
          : t(locale, 'report.peopleSummaryNone'),
      legend: t(locale, 'report.scansByPeople'),
      counts: new Map(humanCountries.map(({ value, humans }) => [value, humans])),
    },
    countries: createBarChart(formatter, heading, t(locale, 'report.country'), countries, formatter.country),
    cities: createBarChart(
      formatter,
      t(locale, 'report.cities'),
      t(locale, 'report.city'),
      cities,
      formatter.city,
    ),
    devices: createBarChart(
      formatter,
      t(locale, 'report.devices'),
      t(locale, 'report.device'),
      devices,
      formatter.device,
    ),
    classes: createBarChart(
      formatter,
      t(locale, 'report.classes'),
      t(locale, 'report.who'),
      classes,
      formatter.scanClass,
    ),
  };
}

function isMidnight(at: Date, timeZone: string): boolean {
  const options = { timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(at) === '00:00';
}
