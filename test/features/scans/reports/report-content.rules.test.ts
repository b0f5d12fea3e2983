import {
  chooseScanReportInterval,
  createScanReportContent as contentIn,
  type ScanReportData,
} from '../../../../src/features/scans/reports/report-content.rules.ts';
import { formatScanCounts } from '../../../../src/features/scans/reports/report-formatter.ts';
import { toSupportedLocale } from '../../../../src/shared/i18n/choose-locale.ts';
import { DEFAULT_LOCALE } from '../../../../src/shared/i18n/locales.ts';
import { t } from '../../../tap.ts';
import { createReportData } from './helper.ts';

const DAY = 24 * 60 * 60 * 1000;
const NONE = { total: 0, humans: 0, unique: 0 };

const contentOf = (facts: ScanReportData) => contentIn(facts, DEFAULT_LOCALE);
const facts = (change: Partial<ScanReportData['statistics']> = {}) => createReportData('x', NONE, change);
const previous = (total: number) => ({ ...facts().statistics.previous, total });
const change = (now: number, before: number) =>
  contentOf(facts({ total: now, previous: previous(before) })).numbers[0]?.change;

t.test('names a period by its days, also across clock changes', async (t) => {
  t.equal(contentOf(facts()).period, '28 March 2026 to 30 March 2026, Europe/Berlin time');
  const part = facts({ from: '2026-03-28T10:15:00.000Z' });
  t.equal(contentOf(part).period, '28 Mar 2026, 11:15 to 31 Mar 2026, 00:00, Europe/Berlin time');
});

t.test('formats all counts side by side in a limited width', async (t) => {
  t.equal(formatScanCounts({ total: 9_999, humans: 720, unique: 0 }, 'en'), '9,999 · 720 · 0');
  t.equal(
    formatScanCounts({ total: 123_456_789, humans: 1_005_000, unique: 10_634 }, 'en'),
    '123M · 1.01M · 10.6K',
  );
});

t.test('labels a week by its first day where space is limited, and omits empty bar charts', async (t) => {
  const week = { startsAt: '2026-03-29T22:00:00.000Z', ...NONE };
  const content = contentOf(facts({ interval: 'week', series: [week] }));
  t.match(content.line.rows, [{ name: 'Week of 30 Mar 2026', tick: '30 Mar 2026' }]);
  t.equal(content.bars.length, 4);
  const none = { classes: [], countries: [], cities: [], devices: [] };
  t.same(contentOf(facts(none)).bars, []);
});

t.test('describes a change relative to the period before', async (t) => {
  t.equal(change(0, 0), 'none in the previous period either');
  t.equal(change(5, 0), 'none in the previous period');
  t.equal(change(5, 5), 'same as in the previous period');
  t.equal(change(15, 10), 'up 50% from 10 in the previous period');
  t.equal(change(0, 10), 'down 100% from 10 in the previous period');
  t.equal(change(10_001, 10_000), 'up slightly from 10,000 in the previous period');
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
      },
    ],
  });
  const names = content.bars.map(({ rows }) => rows.map(({ name }) => name));
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
    const interval = chooseScanReportInterval({ from, to: new Date(from.getTime() + days * DAY) });
    const length = { hour: 1 / 24, day: 1, week: 7, month: 30.4 }[interval];
    t.ok(days / length <= 125, `${days} days by ${interval}`);
  }
});
