import { findFreePort } from '../../../../src/start/find-free-port.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
} from '../../../browser.ts';
import { PHONE_USER_AGENT, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { BERLIN_POSITION } from '../../scans/helper.ts';
import { startInbox } from '../inbox-helper.ts';

const PLACES = [
  { latitude: 40.4168, longitude: -3.7038, accuracy: 20 },
  { latitude: 48.8566, longitude: 2.3522, accuracy: 20 },
  BERLIN_POSITION,
];

t.test(
  'the chart and the map of scans are accessible, and a mark leads to its scan',
  { skip: BROWSER_SKIP_REASON },
  async (t) => {
    const port = await findFreePort();
    const base = `http://127.0.0.1:${port}`;
    const test = await startInbox(t, { PUBLIC_BASE_URL: base });
    const { app, call, owner } = test;
    await app.listen({ host: '127.0.0.1', port });
    const id = await test.code({ title: 'Rex' });
    const scans = [];
    for (const [index, place] of [{}, ...PLACES].entries()) {
      const options = { headers: { 'user-agent': PHONE_USER_AGENT }, remoteAddress: `203.0.${index}.1` };
      scans.push(await test.scan({ qrCodeId: id, ...place }, options));
    }
    const { body: opened } = await test.write(id, { message: 'Found him.' }, { position: BERLIN_POSITION });
    const located = scans[1]?.body.scan.id;
    const open = await openBrowser(t);
    for (const language of ['en', 'ar'])
      for (const setting of [
        { viewport: { width: 390, height: 844 } },
        { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
        { viewport: { width: 320, height: 256 } },
      ] as const) {
        const body = { language };
        await call('PUT', `/api/auth/profile/${owner.id}`, { token: owner.accessToken, body });
        const page = await open(setting);
        await page.goto(`${base}/app/sign-in`);
        await page.fill('[name=email]', owner.email);
        await page.fill('[name=password]', TEST_PASSWORD);
        await page.click('main form button');
        await page.waitForURL(/\/app\/[0-9a-f]{24}$/);
        for (const path of [`/codes/${id}/scans`, '/inbox', `/inbox/${opened.id}`]) {
          const what = JSON.stringify({ ...setting, language, path });
          await page.goto(`${base}/app/${owner.id}${path}`);
          t.same(await findAccessibilityViolations(page), [], what);
          t.ok((await measureHorizontalOverflow(page)) <= 0, what);
        }
        await page.goto(`${base}/app/${owner.id}/codes/${id}/scans`);
        await page.locator('.map a').first().focus();
        await page.keyboard.press('Enter');
        await page.waitForURL(`${base}/app/${owner.id}/codes/${id}/scans/${located}`);
        await page.context().close();
      }
  },
);
