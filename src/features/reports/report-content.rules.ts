import type { Static } from 'typebox';
import { type Language, say } from '../../shared/languages/language.ts';
import type { ScanStatistics } from '../statistics/statistics.schemas.ts';
import type { Interval } from '../statistics/statistics-period.rules.ts';
import { type Counts, createReportWords, type ReportWords } from './report-words.ts';

/** A scan in the list of the last ones. */
export interface LastScan {
  scannedAt: Date;
  class: string;
  city: string | null;
  country: string | null;
  device: string;
  os: string;
  browser: string;
  /** Title of the code. */
  title: string;
}

/** What a report is made from. */
export interface ReportFacts {
  /** Title of the code; null where the report is of all codes. */
  title: string | null;
  madeAt: Date;
  statistics: Static<typeof ScanStatistics>;
  lastScans: readonly LastScan[];
}

/** A stretch of a line or a bar; on an axis it is called by its tick, where it has one. */
export interface ChartRow extends Counts {
  name: string;
  tick?: string;
}

/** A line or a row of bars, with what it says in words for those who do not see it. */
export interface Chart {
  heading: string;
  /** What the first column of its table is. */
  of: string;
  rows: readonly ChartRow[];
  summary: string;
}

/** A report as words and numbers, whatever it is drawn as. */
export interface Report {
  language: Language;
  heading: string;
  period: string;
  madeAt: string;
  numbers: readonly { name: string; value: string; change: string; meaning: string }[];
  lastScan: string;
  line: Chart;
  bars: readonly Chart[];
  hasTitles: boolean;
  scans: readonly { at: string; iso: string; title: string; place: string; by: string; device: string }[];
}

const DAY = 24 * 60 * 60 * 1000;

/** Bars of a chart: what follows is in the statistics. */
const MOST_BARS = 8;

/** What the line of a report is cut into: about a hundred stretches at most. */
export function intervalFor({ from, to }: { from: Date; to: Date }): Interval {
  const days = (to.getTime() - from.getTime()) / DAY;
  if (days <= 3) return 'hour';
  if (days <= 100) return 'day';
  return days <= 740 ? 'week' : 'month';
}

/** Puts what was counted into words of a language, with times of the time zone of the statistics. */
export function contentOf({ title, madeAt, statistics, lastScans }: ReportFacts, language: Language): Report {
  const { report } = language;
  const { timeZone, previous } = statistics;
  const words = createReportWords(language);
  const time = words.dates({ timeZone, dateStyle: 'medium', timeStyle: 'short' });
  const day = words.dates({ timeZone, dateStyle: 'long' });
  const from = new Date(statistics.from);
  const last = new Date(Date.parse(statistics.to) - 1);
  const isDays = isMidnight(from, timeZone) && isMidnight(new Date(statistics.to), timeZone);
  const format = isDays ? day : time;
  const number = (name: string, key: keyof Counts, meaning: string) => ({
    name,
    value: words.number(statistics[key]),
    change: words.change(statistics[key], previous[key]),
    meaning,
  });
  const newest = lastScans[0];
  const bars = [
    barsOf(words, report.cities, report.city, statistics.cities, words.city),
    barsOf(words, report.countries, report.country, statistics.countries, words.country),
    barsOf(words, report.devices, report.device, statistics.devices, words.device),
    barsOf(words, report.classes, report.who, statistics.classes, words.scanClass),
  ];
  return {
    language,
    heading: title ?? report.allCodes,
    period: say(report.period, {
      from: format.format(from),
      to: format.format(isDays ? last : new Date(statistics.to)),
      timeZone,
    }),
    madeAt: say(report.made, { time: time.format(madeAt) }),
    numbers: [
      number(report.scans, 'total', report.scansMeaning),
      number(report.people, 'humans', report.peopleMeaning),
      number(report.unique, 'unique', report.uniqueMeaning),
    ],
    lastScan: newest
      ? say(report.lastScanned, {
          time: time.format(newest.scannedAt),
          place: words.place(newest) || report.placeUnknown,
        })
      : report.notScanned,
    line: lineOf(words, statistics),
    bars: bars.some(({ rows }) => rows.length > 0) ? bars : [],
    hasTitles: title === null,
    scans: lastScans.map((scan) => ({
      at: time.format(scan.scannedAt),
      iso: scan.scannedAt.toISOString(),
      title: scan.title,
      place: words.place(scan) || report.unknown,
      by: words.scanClass(scan.class),
      device: words.agent(scan),
    })),
  };
}

function lineOf(words: ReportWords, { series, interval, timeZone }: ReportFacts['statistics']): Chart {
  const { report } = words.language;
  const format = words.dates({ timeZone, ...STRETCHES[interval] });
  const rows = series.map(({ startsAt, ...counts }): ChartRow => {
    const tick = format.format(new Date(startsAt));
    return { name: interval === 'week' ? say(report.weekOf, { date: tick }) : tick, tick, ...counts };
  });
  const first = rows[0]?.name ?? '';
  const last = rows.at(-1)?.name ?? '';
  const most = rows.reduce((best, row) => (row.total > best.total ? row : best), none);
  const summary =
    most.total > 0
      ? say(report.lineSummary, { first, last, most: words.number(most.total), when: most.name })
      : say(report.lineSummaryNone, { first, last });
  return { heading: report.scansBy[interval], of: report.stretch[interval], rows, summary };
}

function barsOf(
  words: ReportWords,
  heading: string,
  of: string,
  values: readonly (Counts & { value: string })[],
  nameOf: (value: string) => string,
): Chart {
  const { report } = words.language;
  const rows = values.slice(0, MOST_BARS).map(({ value, ...counts }) => ({ name: nameOf(value), ...counts }));
  const [first] = rows;
  const summary = first
    ? say(report.barsSummary, {
        shown: words.number(rows.length),
        most: words.number(first.total),
        name: first.name,
      })
    : report.nothingKnown;
  return { heading, of, rows, summary };
}

const STRETCHES: Record<Interval, Intl.DateTimeFormatOptions> = {
  hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
};

function isMidnight(at: Date, timeZone: string): boolean {
  const options = { timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(at) === '00:00';
}

const none: ChartRow = { name: '', total: 0, humans: 0, unique: 0 };
