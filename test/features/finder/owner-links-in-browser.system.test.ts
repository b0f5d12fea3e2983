import type { Page } from 'playwright-core';
import { findFreePort } from '../../../src/start/find-free-port.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
} from '../../browser.ts';
import { t } from '../../tap.ts';
import { BERLIN_POSITION, startScans } from '../scans/helper.ts';

t.test(
  'the pages of owner links are accessible and need no script',
  { skip: BROWSER_SKIP_REASON },
  async (t) => {
    const port = await findFreePort();
    const base = `http://127.0.0.1:${port}`;
    const test = await startScans(t, { PUBLIC_BASE_URL: base });
    const { app, call, code, scan, owner } = test;
    await app.listen({ host: '127.0.0.1', port });
    const open = await openBrowser(t);
    const id = await code({ title: 'Rex' });
    await call('POST', `/api/qrcodes/${id}/lost`, { token: owner.accessToken, body: {} });
    // Accurate enough for a town only: a map is drawn.
    await scan({ qrCodeId: id, ...BERLIN_POSITION, accuracy: 5_000 });
    const mail = await test.getMailBySubject(owner.email, /Rex/);
    const link = /http\S+\/s\/o\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';

    const settings = [
      { locale: 'en' },
      { colorScheme: 'dark' },
      { forcedColors: 'active' },
      // 1,280 pixels at 400 %: WCAG 2.2, 1.4.10.
      { viewport: { width: 320, height: 256 } },
    ] as const;
    const openWithMap = async (page: Page, address: string) => {
      await page.goto(address);
      // On a busy machine, the first map can take longer than a page waits.
      if ((await page.locator('.map svg').count()) === 0) await page.reload();
    };
    for (const setting of settings)
      for (const tag of ['en', 'ar']) {
        const what = JSON.stringify({ ...setting, tag });
        const page = await open(setting);
        const requests: string[] = [];
        page.on('request', (request) => requests.push(request.url()));
        await openWithMap(page, link);
        t.notMatch(page.url(), link, 'the token is not in the address');
        await page.goto(page.url().replace('lang=en', `lang=${tag}`));
        t.same(await findAccessibilityViolations(page), [], what);
        t.ok((await measureHorizontalOverflow(page)) <= 0, `${what}: no horizontal overflow`);
        const colors = await page.evaluate<string>(
          "getComputedStyle(document.querySelector('.map svg rect')).fill + getComputedStyle(document.documentElement).getPropertyValue('--map-water')",
        );
        t.match(colors, /^rgb.*#/, 'the style sheet of the map applies');
        t.ok(
          requests.every((url) => url.startsWith(base)),
          'nothing from another server',
        );
        await page.context().close();
      }

    const page = await open({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    await openWithMap(page, link);
    const button = page.locator('a.act');
    t.ok(((await button.boundingBox())?.y ?? Infinity) < 844, 'map and button fit the first screen');
    await page.locator('form[action*="/found"] button').click();
    t.match(await page.locator('#answer').textContent(), 'This code is active');
    t.equal((await test.database.client.qrCode.findUniqueOrThrow({ where: { id } })).status, 'ACTIVE');
  },
);
