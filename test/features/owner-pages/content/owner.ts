import type { Test } from 'tap';
import { startTestApp, TEST_PASSWORD, type TestApp } from '../../../helper.ts';
import { TestBrowser } from '../browser.ts';

/** Sign in with a browser, and call the API as the same user. */
export async function startOwner(t: Test) {
  const test = await startTestApp(t);
  return { test, ...(await signIn(test)) };
}

export async function signIn(test: TestApp) {
  const user = await test.createUser();
  const browser = new TestBrowser(test);
  await browser.open('/app/sign-in');
  await browser.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  const api = (method: string, path: string, body?: unknown) =>
    test.call(method, path, { token: user.accessToken, body });
  return { user, browser, api, path: `/app/${user.id}` };
}
