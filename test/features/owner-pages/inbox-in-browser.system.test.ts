import type { Page } from 'playwright-core';
import { findFreePort } from '../../../src/start/find-free-port.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
} from '../../browser.ts';
import { TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';
import { BERLIN_POSITION } from '../scans/helper.ts';
import { startInbox } from './inbox-helper.ts';

t.test(
  'the inbox is accessible, updates itself, and is used with the keyboard',
  { skip: BROWSER_SKIP_REASON },
  async (t) => {
    const port = await findFreePort();
    const base = `http://127.0.0.1:${port}`;
    const test = await startInbox(t, { PUBLIC_BASE_URL: base });
    const { app, call, owner } = test;
    const token = owner.accessToken;
    await app.listen({ host: '127.0.0.1', port });
    const rex = await test.code({ title: 'Rex' });
    await call('POST', `/api/qrcodes/${rex}/lost`, { token, body: {} });
    const { body: opened } = await test.write(
      rex,
      { preset: 'ANIMAL_FOUND', message: 'He is in the park near the fountain.', name: 'Eva' },
      { position: BERLIN_POSITION },
    );
    await call('POST', `/api/conversations/${opened.id}/messages`, {
      token,
      body: { message: 'Thank you! Is he hurt?' },
    });
    const finder = { 'x-conversation-token': opened.conversationToken };
    const writeAsFinder = (message: string) =>
      call('POST', `/api/conversations/public/${opened.id}/messages`, { headers: finder, body: { message } });
    await writeAsFinder('No, he is fine.');
    await test.write(await test.code({ title: 'حقيبة' }), {
      message: 'وجدت الحقيبة. Terminal 2.',
      name: 'أحمد',
    });
    const open = await openBrowser(t);
    const signIn = async (page: Page) => {
      await page.goto(`${base}/app/sign-in`);
      await page.fill('[name=email]', owner.email);
      await page.fill('[name=password]', TEST_PASSWORD);
      await page.click('main form button');
      await page.waitForURL(/\/app\/[0-9a-f]{24}$/);
    };
    const pages = [
      '/inbox',
      `/inbox/${opened.id}`,
      `/inbox/${opened.id}?done=found`,
      '/notifications',
      '/reports',
    ];
    for (const language of ['en', 'ar'])
      for (const setting of [
        { viewport: { width: 390, height: 844 } },
        { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
        { viewport: { width: 320, height: 256 } },
      ] as const) {
        await call('PUT', `/api/auth/profile/${owner.id}`, { token, body: { language } });
        const page = await open(setting);
        await signIn(page);
        for (const path of pages) {
          const what = JSON.stringify({ ...setting, language, path });
          await page.goto(`${base}/app/${owner.id}${path}`);
          t.same(await findAccessibilityViolations(page), [], what);
          t.ok((await measureHorizontalOverflow(page)) <= 0, `${what}: no horizontal overflow`);
        }
        await page.context().close();
      }
    await call('PUT', `/api/auth/profile/${owner.id}`, { token, body: { language: 'en' } });
    const page = await open({});
    await signIn(page);
    await page.goto(`${base}/app/${owner.id}/inbox/${opened.id}`);
    await page.fill('#message', 'On my way');
    await writeAsFinder('He is asleep.');
    await page.locator('#thread', { hasText: 'He is asleep.' }).waitFor();
    t.equal(await page.inputValue('#message'), 'On my way', 'what was being written is still there');
    await page.focus('#message');
    await page.keyboard.press('Control+Enter');
    await page.locator('#thread', { hasText: 'On my way' }).waitFor();
    t.equal(await page.evaluate('document.activeElement?.textContent.includes("On my way")'), true);
  },
);
