import { TEST_PASSWORD, type TestApp, type TestUser } from '../../helper.ts';
import { TestBrowser } from './browser.ts';

/** Open a browser that a user signed in with. */
export async function signInBrowser(
  test: Pick<TestApp, 'call'>,
  { email }: Pick<TestUser, 'email'>,
): Promise<TestBrowser> {
  const browser = new TestBrowser(test);
  await browser.open('/app/sign-in');
  await browser.send('/sign-in', { email, password: TEST_PASSWORD });
  if (!browser.cookies.has('__Host-session')) throw new Error(`Not signed in: ${browser.main}`);
  return browser;
}
