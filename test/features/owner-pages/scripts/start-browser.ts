import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { findFreePort } from '../../../../src/start/find-free-port.ts';
import { findAccessibilityViolations, measureHorizontalOverflow, openBrowser } from '../../../browser.ts';
import { startTestApp, TEST_PASSWORD, type TestUser } from '../../../helper.ts';

/** Start the service on a port, with a browser and an owner. */
export async function startBrowser(t: Test) {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const test = await startTestApp(t, { PUBLIC_BASE_URL: base, BILLING: 'off' });
  await test.app.listen({ host: '127.0.0.1', port });
  const user = await test.createUser();
  const open = await openBrowser(t);

  async function signIn(page: Page, { email }: Pick<TestUser, 'email'> = user): Promise<void> {
    await page.goto(`${base}/app/sign-in`);
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', TEST_PASSWORD);
    await page.click('main form button');
    await page.waitForURL(/\/app\/[0-9a-f]{24}$/);
  }
  async function createCode(body: object): Promise<string> {
    const created = await test.call('POST', '/api/qrcodes', { token: user.accessToken, body });
    if (created.status !== 201) throw new Error(created.text);
    return created.body.id;
  }
  async function listProblems(page: Page): Promise<string[]> {
    const overflow = await measureHorizontalOverflow(page);
    return [
      ...(await findAccessibilityViolations(page)),
      ...(overflow > 0 ? [`${overflow} px too wide`] : []),
    ];
  }
  return { test, base, user, path: `${base}/app/${user.id}`, open, signIn, createCode, listProblems };
}
