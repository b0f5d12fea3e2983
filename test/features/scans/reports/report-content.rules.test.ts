import {
  chooseScanReportInterval,
  createScanReportContent as contentIn,
  type ScanReportData,
} from '../../../../src/features/scans/reports/report-content.rules.ts';
import { foldRepeatedScans } from '../../../../src/features/scans/reports/report-repeats.rules.ts';
import { DAY_MS } from '../../../../src/shared/durations.ts';
import { toSupportedLocale } from '../../../../src/shared/i18n/choose-locale.ts';
import { DEFAULT_LOCALE } from '../../../../src/shared/i18n/locales.ts';
import { t } from '../../../tap.ts';
import { createReportData, createWeek } from './helper.ts';

const NONE = { total: 0, humans: 0, unique: 0 };

const contentOf = (facts: ScanReportData) => contentIn(facts, DEFAULT_LOCALE);
const facts = (change: Partial<ScanReportData['statistics']> = {}) => createReportData('x', NONE, change);
const previous = (total: number) => ({ ...facts().statistics.previous, total });
const change = (now: number, before: number) =>
  contentOf(facts({ total: now, previous: previous(before) })).numbers[0]?.change;

t.test('names a period by its days, also across clock changes', async (t) => {
  t.equal(contentOf(facts()).period, '28 March 2026 to 30 March 2026 (Europe/Berlin)');
  const part = facts({ from: '2026-03-28T10:15:00.000Z' });
  t.equal(contentOf(part).period, '28 Mar 2026, 11:15 to 31 Mar 2026, 00:00 (Europe/Berlin)');
});

t.test('labels a week by its first day where space is limited, and omits charts without scans', async (t) => {
  const week = { startsAt: '2026-03-29T22:00:00.000Z', ...NONE };
  const content = contentOf(facts({ interval: 'week', series: [week] }));
  t.match(content.line.rows, [{ name: 'Week of 30 Mar 2026', tick: '30 Mar 2026' }]);
  t.equal(content.breakdowns, null, 'nothing was scanned');
});

t.test('describes a change relative to as many days before', async (t) => {
  t.equal(change(0, 0), 'none in the previous period either');
  t.equal(change(5, 0), 'none in the previous period');
  t.equal(change(5, 5), 'as many as in the 3 days before');
  t.equal(change(15, 10), '50% more than in the 3 days before (10)');
  t.equal(change(0, 10), '100% fewer than in the 3 days before (10)');
  t.equal(change(10_001, 10_000), 'slightly more than in the 3 days before (10,000)');
  t.equal(change(7, 2), '5 more than in the 3 days before (2)', 'no percentage of a small number');
  const hours = facts({ from: '2026-03-28T10:15:00.000Z', total: 15, previous: previous(10) });
  t.equal(contentOf(hours).numbers[0]?.change, 'up 50% from 10 in the previous period');
  const day = { from: '2026-03-28T23:00:00.000Z', to: '2026-03-29T22:00:00.000Z' };
  const oneDay = contentOf(facts({ ...day, total: 15, previous: previous(10) }));
  t.equal(oneDay.numbers[0]?.change, '50% more than in the day before (10)', 'a day of 23 hours');
});

t.test('folds repeats into the scan that they repeat', async (t) => {
  const scan = (minute: number, visitor: string, scanClass = 'HUMAN') => ({
    scannedAt: new Date(minute * 60_000),
    visitor,
    class: scanClass,
  });
  const folded = foldRepeatedScans([
    scan(100, 'a', 'DUPLICATE'),
    scan(99, 'b'),
    scan(95, 'a', 'DUPLICATE'),
    scan(90, 'a'),
    scan(60, 'c', 'BOT'),
    scan(59, 'c', 'BOT'),
    scan(58, 'a', 'BOT'),
    scan(20, 'd', 'DUPLICATE'),
  ]);
  t.same(
    folded.map(({ scan: { visitor, class: scanClass, scannedAt }, repeats }) => [
      visitor,
      scanClass,
      scannedAt.getTime() / 60_000,
      repeats,
    ]),
    [
      ['b', 'HUMAN', 99, 0],
      ['a', 'HUMAN', 90, 2],
      ['c', 'BOT', 59, 1],
      ['a', 'BOT', 58, 0],
      ['d', 'DUPLICATE', 20, 0],
    ],
  );
});

t.test('shows a week by weekday and hour, in shades that each have as many hours', async (t) => {
  const week = createReportData('x', { total: 20, humans: 10, unique: 5 }, createWeek());
  const counts = [
    { weekday: 1, hour: 0, humans: 1 },
    { weekday: 7, hour: 17, humans: 8 },
  ];
  const chart = contentOf({ ...week, weekdayHours: { from: null, counts } }).weekdayHours;
  t.equal(chart?.summary, 'Most scans by people: 8, Sunday 17:00.');
  t.equal(chart?.rows.length, 7);
  t.match(chart?.rows[0], {
    name: 'Mon',
    cells: [
      { count: 1, shade: 3 },
      { count: 0, shade: 0 },
    ],
  });
  t.same(chart?.rows[6]?.cells[17], { count: 8, shade: 4 });
  t.same(
    chart?.ranges.map(({ name }) => name),
    ['1', '8'],
  );
  t.equal(contentOf(facts({ humans: 1 })).weekdayHours, null, 'not for three days');
});

t.test('a report is in the requested language', async (t) => {
  const { period, numbers, line } = contentIn(
    facts({ total: 15, previous: previous(10) }),
    toSupportedLocale('de-AT'),
  );
  t.match(period, '28. März 2026');
  t.match(numbers[0]?.change, /50\u00a0%/);
  t.not(line.heading, contentOf(facts()).line.heading);
});

t.test('uses common names for places, classes and devices', async (t) => {
  const counts = { total: 3, humans: 2, unique: 1 };
  const content = contentOf({
    ...facts({
      ...counts,
      cities: [
        { value: 'Paris, FR', ...counts },
        { value: 'Washington, D.C., US', ...counts },
      ],
      countries: [
        { value: 'DE', ...counts },
        { value: 'XK', ...counts },
      ],
      devices: [
        { value: 'tv', ...counts },
        { value: 'phone', ...counts },
      ],
      classes: [{ value: 'PREVIEW', ...counts }],
    }),
    lastScans: [
      {
        scannedAt: new Date('2026-03-29T01:30:00Z'),
        class: 'HUMAN',
        city: 'Paris',
        country: 'FR',
        device: 'phone',
        os: 'iOS',
        browser: 'Safari',
        title: 'Rex',
        visitor: 'a',
      },
      {
        scannedAt: new Date('2026-03-29T00:30:00Z'),
        class: 'BOT',
        city: null,
        country: null,
        device: 'unknown',
        os: 'unknown',
        browser: 'unknown',
        title: 'Rex',
        visitor: 'b',
      },
    ],
  });
  const { cities, countries, devices, classes } = content.breakdowns ?? {};
  const names = [cities, countries, devices, classes].map((chart) => chart?.rows.map(({ name }) => name));
  t.same(names, [
    ['Paris, France', 'Washington, D.C., United States'],
    ['Germany', 'Kosovo'],
    ['TV', 'Phone'],
    ['Link preview'],
  ]);
  t.equal(content.lastScan, 'Last scanned 29 Mar 2026, 03:30, Paris, France.');
  t.match(content.scans, [
    { at: '29 Mar 2026, 03:30', place: 'Paris, France', by: 'Person', device: 'Phone, iOS, Safari' },
    { at: '29 Mar 2026, 01:30', place: 'Unknown', by: 'Bot', device: 'Unknown' },
  ]);
});

t.test('a line has at most 125 intervals', async (t) => {
  for (const days of [1, 3, 4, 30, 100, 101, 365, 740, 741, 3_700]) {
    const from = new Date('2016-01-01T00:00:00Z');
    const interval = chooseScanReportInterval({ from, to: new Date(from.getTime() + days * DAY_MS) });
    const length = { hour: 1 / 24, day: 1, week: 7, month: 30.4 }[interval];
    t.ok(days / length <= 125, `${days} days by ${interval}`);
  }
});
