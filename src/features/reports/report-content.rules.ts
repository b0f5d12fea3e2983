import type { Static } from 'typebox';
import type { ScanStatistics } from '../statistics/statistics.schemas.ts';
import type { Interval } from '../statistics/statistics-period.rules.ts';

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

interface Counts {
  total: number;
  humans: number;
  unique: number;
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

const CLASS_NAMES: Record<string, string> = {
  HUMAN: 'Person',
  BOT: 'Robot',
  PREVIEW: 'Link preview',
  OWNER: 'Yourself',
  DUPLICATE: 'Same person again',
};

const countries = new Intl.DisplayNames(['en'], { type: 'region' });
const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** What the line of a report is cut into: about a hundred stretches at most. */
export function intervalFor({ from, to }: { from: Date; to: Date }): Interval {
  const days = (to.getTime() - from.getTime()) / DAY;
  if (days <= 3) return 'hour';
  if (days <= 100) return 'day';
  return days <= 740 ? 'week' : 'month';
}

/** All that a row counts, side by side: scans, by people, unique; from 10,000 on as thousands or millions, to three figures. */
export function numbersOf({ total, humans, unique }: Counts): string {
  return [total, humans, unique]
    .map((number) => (number < 10_000 ? whole : short).format(number))
    .join(' · ');
}

/** Puts what was counted into words, with times of the time zone of the statistics. */
export function contentOf({ title, madeAt, statistics, lastScans }: ReportFacts): Report {
  const { timeZone, previous } = statistics;
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'long' });
  const from = new Date(statistics.from);
  const last = new Date(Date.parse(statistics.to) - 1);
  const isDays = isMidnight(from, timeZone) && isMidnight(new Date(statistics.to), timeZone);
  const format = isDays ? day : time;
  const number = (name: string, key: keyof Counts, meaning: string) => ({
    name,
    value: whole.format(statistics[key]),
    change: changeOf(statistics[key], previous[key]),
    meaning,
  });
  const newest = lastScans[0];
  const bars = [
    barsOf('Cities', 'City', statistics.cities, cityName),
    barsOf('Countries', 'Country', statistics.countries, countryName),
    barsOf('Devices', 'Device', statistics.devices, capital),
    barsOf('Who scanned', 'Who', statistics.classes, (name) => CLASS_NAMES[name] ?? name),
  ];
  return {
    heading: title ?? 'All QR codes',
    period: `${format.format(from)} to ${format.format(isDays ? last : new Date(statistics.to))}, ${timeZone} time`,
    madeAt: time.format(madeAt),
    numbers: [
      number('Scans', 'total', 'of every kind'),
      number('By people', 'humans', 'no robots, previews, repeats or yourself'),
      number('Unique', 'unique', 'different people on each day, added up'),
    ],
    lastScan: newest
      ? `Last scanned ${time.format(newest.scannedAt)}, ${placeOf(newest) || 'place unknown'}.`
      : 'Not scanned in this time.',
    line: lineOf(statistics),
    bars: bars.some(({ rows }) => rows.length > 0) ? bars : [],
    hasTitles: title === null,
    scans: lastScans.map((scan) => ({
      at: time.format(scan.scannedAt),
      iso: scan.scannedAt.toISOString(),
      title: scan.title,
      place: placeOf(scan) || 'Place unknown',
      by: CLASS_NAMES[scan.class] ?? scan.class,
      device: deviceOf(scan),
    })),
  };
}

function lineOf({ series, interval, timeZone }: ReportFacts['statistics']): Chart {
  const tickOf = stretchTick(interval, timeZone);
  const rows = series.map(({ startsAt, ...counts }): ChartRow => {
    const tick = tickOf(new Date(startsAt));
    return { name: interval === 'week' ? `Week of ${tick}` : tick, tick, ...counts };
  });
  const [first] = rows;
  const most = rows.reduce((best, row) => (row.total > best.total ? row : best), first ?? none(''));
  const summary =
    most.total > 0
      ? `${first?.name} to ${rows.at(-1)?.name}, by ${interval}. Most scans: ${whole.format(most.total)}, ${most.name}.`
      : `${first?.name} to ${rows.at(-1)?.name}, by ${interval}. No scans.`;
  return { heading: `Scans by ${interval}`, of: capital(interval), rows, summary };
}

function barsOf(
  heading: string,
  of: string,
  values: readonly (Counts & { value: string })[],
  nameOf: (value: string) => string,
): Chart {
  const rows = values.slice(0, MOST_BARS).map(({ value, ...counts }) => ({ name: nameOf(value), ...counts }));
  const [first] = rows;
  const summary = first
    ? `${rows.length} shown. Most scans: ${whole.format(first.total)}, ${first.name}.`
    : 'Nothing known.';
  return { heading, of, rows, summary };
}

function stretchTick(interval: Interval, timeZone: string): (at: Date) => string {
  const options: Record<Interval, Intl.DateTimeFormatOptions> = {
    hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
    day: { day: 'numeric', month: 'short' },
    week: { day: 'numeric', month: 'short', year: 'numeric' },
    month: { month: 'short', year: 'numeric' },
  };
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, ...options[interval] });
  return (at) => format.format(at);
}

function changeOf(now: number, before: number): string {
  if (before === 0) return now === 0 ? 'none before either' : 'none in the period before';
  if (now === before) return `as many as in the period before`;
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  const size = percent === 0 ? 'a little' : `${whole.format(percent)} %`;
  return `${now > before ? 'up' : 'down'} ${size} from ${whole.format(before)} in the period before`;
}

function isMidnight(at: Date, timeZone: string): boolean {
  const options = { timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(at) === '00:00';
}

function placeOf({ city, country }: LastScan): string {
  return [city, country && countryName(country)].filter(Boolean).join(', ');
}

/** Of 'Berlin, DE'. */
function cityName(value: string): string {
  const [, city, country] = /^(.*), ([A-Z]{2})$/.exec(value) ?? [];
  return city && country ? `${city}, ${countryName(country)}` : value;
}

function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code;
}

function deviceOf({ device, os, browser }: LastScan): string {
  const known = [device, os, browser].filter((name) => name !== 'unknown');
  return known.length > 0 ? capital(known.join(', ')) : 'Unknown';
}

function capital(text: string): string {
  return text === 'tv' ? 'TV' : text.charAt(0).toUpperCase() + text.slice(1);
}

function none(name: string) {
  return { name, total: 0, humans: 0, unique: 0 };
}
