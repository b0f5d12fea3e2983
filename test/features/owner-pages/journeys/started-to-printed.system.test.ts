import { findFreePort } from '../../../../src/start/find-free-port.ts';
import { BROWSER_SKIP_REASON, openBrowser } from '../../../browser.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { ReadingMeter } from './reading-meter.ts';

const MAX_TAPS = 15;
const MAX_SECONDS = 180;

t.test('somebody new has a printed code within three minutes', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const test = await startTestApp(t, { PUBLIC_BASE_URL: base });
  await test.app.listen({ host: '127.0.0.1', port });
  const open = await openBrowser(t);
  const page = await open({ locale: 'en', viewport: { width: 390, height: 844 } });
  const meter = new ReadingMeter();
  const link = (name: string) => page.getByRole('link', { name });
  const button = (name: string) => page.getByRole('button', { name });

  await page.goto(base);
  await meter.tap(link('Get started'));
  await meter.tap(link('Pet'));
  await meter.type(page.getByLabel('Name', { exact: true }).first(), 'Rex');
  await meter.tap(button('Continue'));
  await meter.tap(link('Continue without a photo'));
  await meter.type(page.getByLabel('First name'), 'Ada');
  await meter.type(page.getByLabel('Last name'), 'Lovelace');
  await meter.type(page.getByLabel('Email address'), 'ada@example.org');
  await meter.type(page.getByLabel('Password'), 'seven blue kettles');
  await meter.tap(button('Create account'));
  await page.waitForURL(/\/sign-up\/code/);
  await meter.type(page.getByLabel('Six digits'), await test.getOtp('ada@example.org'));
  await page.waitForURL(/\/app\/[0-9a-f]{24}\/start$/);
  await meter.tap(button('Create the code'));
  await page.waitForURL(/\/print$/);
  const [download] = await Promise.all([page.waitForEvent('download'), meter.tap(link('PDF').first())]);
  t.match(download.suggestedFilename(), /\.pdf$/);

  const { taps, words, seconds } = meter;
  t.ok(taps <= MAX_TAPS, `${taps} taps`);
  t.ok(seconds <= MAX_SECONDS, `${words} words to read and ${taps} taps take ${Math.round(seconds)} s`);
});
