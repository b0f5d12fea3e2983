import { findFreePort } from '../../../src/start/find-free-port.ts';
import { BROWSER_SKIP_REASON, openBrowser } from '../../browser.ts';
import { t } from '../../tap.ts';
import { startInbox } from './inbox-helper.ts';

t.test(
  'on a phone the navigation takes two lines, without a script',
  {
    skip: BROWSER_SKIP_REASON,
  },
  async (t) => {
    const port = await findFreePort();
    const base = `http://127.0.0.1:${port}`;
    const test = await startInbox(t, { PUBLIC_BASE_URL: base });
    const { app, call, owner, path } = test;
    await app.listen({ host: '127.0.0.1', port });
    const { cookies } = await test.signIn();
    const open = await openBrowser(t);
    const page = await open({ javaScriptEnabled: false });
    await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url: base })));
    for (const language of ['en', 'de', 'ar'])
      for (const width of [320, 390]) {
        const name = `${language}, ${width} px`;
        const body = { language };
        const changed = await call('PATCH', `/api/auth/profile/${owner.id}`, {
          token: owner.accessToken,
          body,
        });
        t.equal(changed.status, 200);
        await page.setViewportSize({ width, height: 640 });
        await page.goto(base + path);
        const entries = await page.locator('.nav li').all();
        const boxes = await Promise.all(entries.map((entry) => entry.boundingBox()));
        const visible = boxes.filter((box) => box !== null);
        t.equal(new Set(visible.map(({ y }) => Math.round(y))).size, 2, name);
        t.ok(
          visible.every(({ x, width: entryWidth }) => x >= 0 && x + entryWidth <= width),
          `each entry is in sight: ${name}`,
        );
      }
  },
);
