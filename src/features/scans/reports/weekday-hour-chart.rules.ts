import { DAY_MS, HOUR_MS } from '../../../shared/durations.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { createQuantileRanges } from '../../../shared/quantile-ranges.ts';
import type { ScanReportFormatter } from './report-formatter.ts';

/** Scans by people; Monday is 1. */
export interface WeekdayHourCount {
  weekday: number;
  hour: number;
  humans: number;
}

/** A row for each weekday, Monday first, with a cell for each hour. */
export interface WeekdayHourChart {
  heading: string;
  summary: string;
  legend: string;
  hours: readonly string[];
  rows: readonly { name: string; cells: readonly { count: number; shade: number }[] }[];
  /** `shade` is from 1, the lightest, to 4. */
  ranges: readonly { shade: number; name: string }[];
}

const SHADES = 4;

/** A Monday. */
const FIRST_WEEKDAY_MS = Date.UTC(2024, 0, 1);

/** Create the chart of scans by people; `period` names the days that are counted. */
export function createWeekdayHourChart(
  { locale, dates, number }: ScanReportFormatter,
  counts: readonly WeekdayHourCount[],
  period: string,
): WeekdayHourChart {
  const weekday = dates({ timeZone: 'UTC', weekday: 'short' });
  const hour = dates({ timeZone: 'UTC', hour: 'numeric' });
  const moment = dates({ timeZone: 'UTC', weekday: 'long', hour: 'numeric', minute: '2-digit' });
  const at = (day: number, hours: number) => new Date(FIRST_WEEKDAY_MS + day * DAY_MS + hours * HOUR_MS);
  const byCell = new Map(counts.map((cell) => [`${cell.weekday}:${cell.hour}`, cell.humans]));
  const ranges = createQuantileRanges([...byCell.values()], SHADES);
  const max = Math.max(0, ...counts.map(({ humans }) => humans));
  const maxCell = counts.find(({ humans }) => humans === max);
  const rows = Array.from({ length: 7 }, (_, day) => ({
    name: weekday.format(at(day, 0)),
    cells: Array.from({ length: 24 }, (_cell, hours) => {
      const count = byCell.get(`${day + 1}:${hours}`) ?? 0;
      return { count, shade: count > 0 ? (ranges.find(({ to }) => count <= to)?.shade ?? SHADES) : 0 };
    }),
  }));
  return {
    heading: t(locale, 'report.weekdayHours'),
    summary:
      maxCell && max > 0
        ? t(locale, 'report.peopleSummary', {
            maxScans: max,
            when: moment.format(at(maxCell.weekday - 1, maxCell.hour)),
          })
        : t(locale, 'report.peopleSummaryNone'),
    legend: `${t(locale, 'report.scansByPeople')}${t(locale, 'finder.labelSeparator')}${period}`,
    hours: Array.from({ length: 24 }, (_, hours) => hour.format(at(0, hours))),
    rows,
    ranges: ranges.map(({ shade, from, to }) => ({
      shade,
      name: from === to ? number(from) : `${number(from)}–${number(to)}`,
    })),
  };
}
