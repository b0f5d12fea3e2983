import type { Static } from 'typebox';
import { t } from '../../../shared/i18n/translate.ts';
import type { ScanStatistics } from '../statistics/statistics.schemas.ts';
import type { ScanStatisticsInterval } from '../statistics/statistics-period.rules.ts';
import type { ScanReportCounts, ScanReportFormatter } from './report-formatter.ts';

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

/** More values are in the statistics. */
const MAX_BARS = 8;

export function createLineChart(
  formatter: ScanReportFormatter,
  { series, interval, timeZone }: Pick<Static<typeof ScanStatistics>, 'series' | 'interval' | 'timeZone'>,
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

export function createBarChart(
  formatter: ScanReportFormatter,
  heading: string,
  columnHeading: string,
  values: readonly (ScanReportCounts & { value: string })[],
  formatName: (value: string) => string,
  maxRows = MAX_BARS,
): ReportChart {
  const rows = values
    .slice(0, maxRows)
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

const EMPTY_ROW: ReportChartRow = { name: '', total: 0, humans: 0, unique: 0 };
