import type { Static } from 'typebox';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { ScanStatistics } from '../statistics/statistics.schemas.ts';
import type { ScanStatisticsInterval } from '../statistics/statistics-period.rules.ts';
import {
  createScanReportFormatter,
  type ScanReportCounts,
  type ScanReportFormatter,
} from './report-formatter.ts';

export interface RecentScan {
  scannedAt: Date;
  class: string;
  city: string | null;
  country: string | null;
  device: string;
  os: string;
  browser: string;
  title: string;
}

export interface ScanReportData {
  title: string | null;
  madeAt: Date;
  statistics: Static<typeof ScanStatistics>;
  lastScans: readonly RecentScan[];
}

/** `tick` is the short label on an axis. */
export interface ReportChartRow extends ScanReportCounts {
  name: string;
  tick?: string;
}

export interface ReportChart {
  heading: string;
  columnHeading: string;
  rows: readonly ReportChartRow[];
  summary: string;
}

export interface ScanReportContent {
  locale: Locale;
  heading: string;
  period: string;
  madeAt: string;
  numbers: readonly { name: string; value: string; change: string; meaning: string }[];
  lastScan: string;
  line: ReportChart;
  bars: readonly ReportChart[];
  hasTitles: boolean;
  scans: readonly { at: string; iso: string; title: string; place: string; by: string; device: string }[];
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** More values are in the statistics. */
const MAX_BARS = 8;

/** Choose an interval with at most about 100 points. */
export function chooseScanReportInterval({ from, to }: { from: Date; to: Date }): ScanStatisticsInterval {
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  if (days <= 3) return 'hour';
  if (days <= 100) return 'day';
  return days <= 740 ? 'week' : 'month';
}

export function createScanReportContent(
  { title, madeAt, statistics, lastScans }: ScanReportData,
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
  const number = (name: string, key: keyof ScanReportCounts, meaning: string) => ({
    name,
    value: formatter.number(statistics[key]),
    change: formatter.change(statistics[key], previous[key]),
    meaning,
  });
  const newest = lastScans[0];
  const bars = [
    createBarChart(
      formatter,
      t(locale, 'report.cities'),
      t(locale, 'report.city'),
      statistics.cities,
      formatter.city,
    ),
    createBarChart(
      formatter,
      t(locale, 'report.countries'),
      t(locale, 'report.country'),
      statistics.countries,
      formatter.country,
    ),
    createBarChart(
      formatter,
      t(locale, 'report.devices'),
      t(locale, 'report.device'),
      statistics.devices,
      formatter.device,
    ),
    createBarChart(
      formatter,
      t(locale, 'report.classes'),
      t(locale, 'report.who'),
      statistics.classes,
      formatter.scanClass,
    ),
  ];
  return {
    locale,
    heading: title ?? t(locale, 'report.allCodes'),
    period: t(locale, 'report.period', {
      from: format.format(from),
      to: format.format(isDays ? last : new Date(statistics.to)),
      timeZone,
    }),
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
    bars: bars.some(({ rows }) => rows.length > 0) ? bars : [],
    hasTitles: title === null,
    scans: lastScans.map((scan) => ({
      at: time.format(scan.scannedAt),
      iso: scan.scannedAt.toISOString(),
      title: scan.title,
      place: formatter.place(scan) || t(locale, 'report.unknown'),
      by: formatter.scanClass(scan.class),
      device: formatter.agent(scan),
    })),
  };
}

function createLineChart(
  formatter: ScanReportFormatter,
  { series, interval, timeZone }: ScanReportData['statistics'],
): ReportChart {
  const format = formatter.dates({ timeZone, ...INTERVAL_FORMATS[interval] });
  const rows = series.map(({ startsAt, ...counts }): ReportChartRow => {
    const tick = format.format(new Date(startsAt));
    return {
      name: interval === 'week' ? t(formatter.locale, 'report.weekOf', { date: tick }) : tick,
      tick,
      ...counts,
    };
  });
  const first = rows[0]?.name ?? '';
  const last = rows.at(-1)?.name ?? '';
  const maxRow = rows.reduce((best, row) => (row.total > best.total ? row : best), EMPTY_ROW);
  const summary =
    maxRow.total > 0
      ? t(formatter.locale, 'report.lineSummary', {
          first,
          last,
          maxScans: maxRow.total,
          when: maxRow.name,
        })
      : t(formatter.locale, 'report.lineSummaryNone', { first, last });
  return {
    heading: t(formatter.locale, `report.scansBy.${interval}`),
    columnHeading: t(formatter.locale, `report.interval.${interval}`),
    rows,
    summary,
  };
}

function createBarChart(
  formatter: ScanReportFormatter,
  heading: string,
  columnHeading: string,
  values: readonly (ScanReportCounts & { value: string })[],
  formatName: (value: string) => string,
): ReportChart {
  const rows = values
    .slice(0, MAX_BARS)
    .map(({ value, ...counts }) => ({ name: formatName(value), ...counts }));
  const [first] = rows;
  const summary = first
    ? t(formatter.locale, 'report.barsSummary', {
        count: rows.length,
        maxScans: first.total,
        name: first.name,
      })
    : t(formatter.locale, 'report.barsSummaryNone');
  return { heading, columnHeading, rows, summary };
}

const INTERVAL_FORMATS: Record<ScanStatisticsInterval, Intl.DateTimeFormatOptions> = {
  hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
};

function isMidnight(at: Date, timeZone: string): boolean {
  const options = { timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(at) === '00:00';
}

const EMPTY_ROW: ReportChartRow = { name: '', total: 0, humans: 0, unique: 0 };
