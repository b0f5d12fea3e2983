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
import { createPictureForm, ONE_PIXEL_PNG } from '../memory-tags/gallery-helper.ts';
import { HOSTILE, startStaff } from './staff-helper.ts';

t.test('an administrator decides with a browser', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const test = await startStaff(t, { PUBLIC_BASE_URL: base });
  await test.app.listen({ host: '127.0.0.1', port });
  const admin = await test.createUser({ email: 'admin@example.org', role: 'ADMIN' });
  const open = await openBrowser(t);
  const long = `${HOSTILE} ${'word '.repeat(60)}${'w'.repeat(100)}`;
  const visibility = { name: 'PUBLIC', breed: 'PUBLIC' };
  const reported = await test.createCode({
    title: 'Rex',
    data: { name: 'Rex', breed: 'Collie' },
    visibility,
  });
  await test.call('POST', `/api/qrcodes/${reported}/pictures`, {
    token: test.owner.accessToken,
    ...createPictureForm(ONE_PIXEL_PNG),
  });
  await test.report(reported, { category: 'PRIVACY', note: long });
  const takenDown = await test.createCode({ title: long.slice(0, 100) });
  await test.takeDown(takenDown, admin);
  const { body: appealed } = await test.call('POST', `/api/qrcodes/${takenDown}/appeals`, {
    token: test.owner.accessToken,
    body: { message: long },
  });
  const paths = [
    'reports',
    `reports/${reported}`,
    `reports/${takenDown}`,
    'appeals',
    `appeals/${appealed.appeals[0].id}`,
    'conversation-reports',
  ];

  async function signIn(page: Page): Promise<void> {
    await page.goto(`${base}/app/sign-in`);
    await page.getByLabel('Email address').fill(admin.email);
    await page.getByLabel('Password').fill(TEST_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/app\/[0-9a-f]{24}/);
  }

  await t.test('its pages are accessible, narrow and in Arabic, too', async (t) => {
    for (const language of ['en', 'ar'])
      for (const setting of [{ colorScheme: 'dark' }, { viewport: { width: 320, height: 640 } }] as const) {
        await test.database.client.user.update({ where: { id: admin.id }, data: { language: 'en' } });
        const page = await open(setting);
        await signIn(page);
        await test.database.client.user.update({ where: { id: admin.id }, data: { language } });
        for (const path of paths) {
          const what = JSON.stringify({ ...setting, path, language });
          await page.goto(`${base}/app/staff/${path}`);
          t.same(await findAccessibilityViolations(page), [], what);
          t.ok((await measureHorizontalOverflow(page)) <= 0, `${what}: no horizontal overflow`);
        }
        await page.context().close();
      }
    await test.database.client.user.update({ where: { id: admin.id }, data: { language: 'en' } });
  });

  await t.test('the keyboard alone reaches the decision, without a script', async (t) => {
    const page = await open({ javaScriptEnabled: false });
    await signIn(page);
    await page.goto(`${base}/app/staff/reports/${reported}`);
    await page.frameLocator('iframe.preview').getByText('Collie').waitFor();
    const image = page.frameLocator('iframe.preview').locator('img').first();
    t.match(await image.getAttribute('src'), '/app/staff/codes/');
    const tabTo = async (name: string) => {
      for (let index = 0; index < 40; index += 1) {
        await page.keyboard.press('Tab');
        if (
          (await page
            .locator(':focus')
            .textContent()
            .catch(() => null)) === name
        )
          return;
      }
      throw new Error(`${name} is not reached`);
    };
    await tabTo('Dismiss the reports');
    await page.keyboard.press('Enter');
    await page.getByText('Reports dismissed.').waitFor();
    t.equal(await test.database.client.scan.count(), 0);
  });
});
