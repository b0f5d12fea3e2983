import { TEST_PASSWORD, type TestApp, type TestUser } from '../../../helper.ts';
import { TestBrowser } from '../browser.ts';

/** A browser in which somebody has signed in. */
export async function signIn(test: TestApp, { email }: Pick<TestUser, 'email'>): Promise<TestBrowser> {
  const browser = new TestBrowser(test);
  await browser.open('/app/sign-in');
  await browser.send('/sign-in', { email, password: TEST_PASSWORD });
  return browser;
}

/** A second tab: it shares the cookies. */
export function openTab(test: TestApp, { cookies }: TestBrowser): TestBrowser {
  const tab = new TestBrowser(test);
  Object.defineProperty(tab, 'cookies', { value: cookies });
  return tab;
}

/** A browser that has a copy of the cookies of now. */
export function copyCookies(test: TestApp, { cookies }: TestBrowser): TestBrowser {
  const thief = new TestBrowser(test);
  for (const [name, value] of cookies) thief.cookies.set(name, value);
  return thief;
}

/** Let the login of all sessions be older than what needs a recent one. */
export async function ageSessions({ database }: TestApp): Promise<void> {
  await database.client.session.updateMany({ data: { createdAt: new Date(Date.now() - 3_600_000) } });
}
