import { findFreePort } from '../../../../src/start/find-free-port.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
} from '../../../browser.ts';
import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createSolidPicture } from '../../files/pictures/hostile-pictures.ts';
import { createGalleryClient } from '../../memory-tags/gallery-helper.ts';

t.test(
  'the look of a page is chosen in a browser, and the frame follows',
  { skip: BROWSER_SKIP_REASON },
  async (t) => {
    const port = await findFreePort();
    const base = `http://127.0.0.1:${port}`;
    const test = await startTestApp(t, { PUBLIC_BASE_URL: base, BILLING: 'off' });
    await test.app.listen({ host: '127.0.0.1', port });
    const user = await test.createUser();
    const token = user.accessToken;
    const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex', species: 'Dog', reward: '100 EUR' } };
    const { id } = (await test.call('POST', '/api/qrcodes', { token, body })).body;
    const { add } = createGalleryClient(test, token, '/api/qrcodes');
    for (const caption of ['Meadow', 'Club'])
      await add(id, await createSolidPicture(900, 300).jpeg().toBuffer(), { caption });
    const open = await openBrowser(t);
    for (const { language, ...setting } of [
      { language: 'en', viewport: { width: 1280, height: 800 } },
      { language: 'de', viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
      { language: 'ar', viewport: { width: 390, height: 844 } },
    ] as const) {
      await test.database.client.user.update({ where: { id: user.id }, data: { language } });
      const page = await open(setting);
      await page.goto(`${base}/app/sign-in`);
      await page.fill('#email', user.email);
      await page.fill('#password', TEST_PASSWORD);
      await page.click('main button');
      await page.waitForURL(`**/app/${user.id}`);
      for (const path of [`codes/${id}/page`, `codes/selected?ids=${id}`]) {
        await page.goto(`${base}/app/${user.id}/${path}`);
        t.same(await findAccessibilityViolations(page), [], `${language} ${path}`);
        t.ok((await measureHorizontalOverflow(page)) <= 0, `${language} ${path}`);
      }
      await page.goto(`${base}/app/${user.id}/codes/${id}/page`);
      await page.locator('iframe').scrollIntoViewIfNeeded();
      const readColor = () =>
        page
          .frame('preview')
          ?.evaluate<string>("getComputedStyle(document.documentElement).getPropertyValue('--act')")
          .catch(() => '');
      const before = await readColor();
      await page.fill('#accentColor', '#7a1f5c');
      const hasChanged = async () => (await readColor()) !== before;
      for (let attempt = 0; attempt < 200 && !(await hasChanged()); attempt += 1)
        await page.waitForTimeout(100);
      t.ok(await hasChanged(), `${language}: the frame has the color that is not saved`);
      await page.click('[value="DETAILS:up"]');
      await page.waitForURL('**done=saved#order');
      await test.call('PATCH', `/api/qrcodes/${id}`, { token, body: { pageDesign: null } });
      await page.context().close();
    }
  },
);
