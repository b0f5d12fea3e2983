import { createScanReportContent } from '../../../../src/features/scans/reports/report-content.rules.ts';
import { renderScanReportPage } from '../../../../src/features/scans/reports/report-page.ts';
import { toSupportedLocale } from '../../../../src/shared/i18n/choose-locale.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
} from '../../../browser.ts';
import { t } from '../../../tap.ts';
import { createReportData, createWeek, TEST_BRAND } from './helper.ts';

const COUNTS = { total: 123_456, humans: 100_000, unique: 9_999 };
const NONE = { series: [], classes: [], cities: [], countries: [], devices: [] };

const SETTINGS = [
  {},
  { colorScheme: 'dark' },
  { forcedColors: 'active' },
  // 1,280 px at 400 % zoom: WCAG 2.2, 1.4.10.
  { viewport: { width: 320, height: 256 } },
  { viewport: { width: 1_280, height: 900 } },
] as const;

t.test('a report is accessible in every setting', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const open = await openBrowser(t);
  const name = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(5);
  const countries = [{ value: 'DE', ...COUNTS }];
  const many = createReportData(name, COUNTS, { ...createWeek(), countries });
  const none = {
    ...createReportData('Rex', { total: 0, humans: 0, unique: 0 }, NONE),
    topCodes: [],
    lastScans: [],
  };
  for (const [name, facts, tag, settings] of [
    ['much', many, 'en', SETTINGS],
    ['much', many, 'ar', SETTINGS.slice(0, 1)],
    ['much', many, 'ja', SETTINGS.slice(0, 1)],
    ['nothing', none, 'de', SETTINGS.slice(0, 1)],
  ] as const) {
    const text = await renderScanReportPage(
      createScanReportContent(facts, toSupportedLocale(tag)),
      TEST_BRAND,
    );
    for (const setting of settings) {
      const page = await open(setting);
      await page.setContent(text);
      const what = `${name}, ${tag}, ${JSON.stringify(setting)}`;
      t.same(await findAccessibilityViolations(page), [], what);
      t.ok((await measureHorizontalOverflow(page)) <= 0, `${what}: no horizontal overflow`);
      await page.context().close();
    }
  }
});

t.test('a screen reader reads what the report shows', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const page = await (await openBrowser(t))();
  await page.setContent(
    await renderScanReportPage(
      createScanReportContent(createReportData('Rex', COUNTS, createWeek()), toSupportedLocale('en')),
      TEST_BRAND,
    ),
  );
  const heard = await page.locator('body').ariaSnapshot();
  for (const part of [
    'heading "Rex" [level=1]',
    'img "Scans by day',
    'term: People',
    'columnheader "Where"',
    'heading "Most scanned codes" [level=2]',
    'img "Countries Most scans by people',
    'heading "Scans by weekday and hour" [level=2]',
  ])
    t.ok(heard.includes(part), `${part} in ${heard.slice(0, 3_000)}`);
});

t.test(
  'a printed report keeps the colors of its legends, on white',
  { skip: BROWSER_SKIP_REASON },
  async (t) => {
    const page = await (await openBrowser(t))({ colorScheme: 'dark' });
    await page.setContent(
      await renderScanReportPage(
        createScanReportContent(createReportData('Rex', COUNTS, createWeek()), toSupportedLocale('en')),
        TEST_BRAND,
      ),
    );
    await page.emulateMedia({ media: 'print' });
    t.equal(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(0, 0, 0)');
    const legends = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.bar-key li, .shades li')].map((each) => getComputedStyle(each, '::before').printColorAdjust)`,
    );
    t.ok(legends.length > 0);
    t.same(new Set(legends), new Set(['exact']));
  },
);
