import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { findFreePort } from '../../../../src/start/find-free-port.ts';
import { measureHorizontalOverflow, openBrowser } from '../../../browser.ts';
import { startTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '../../../helper.ts';
import { listRefusals, withoutScriptsOfFrames } from '../browser-refusals.ts';

interface JourneyOptions {
  port?: number;
  environment?: Record<string, string>;
  services?: Parameters<typeof startTestApp>[2];
}

/** Start the service for a browser, in which an owner is signed in on a phone. */
export async function startJourney(t: Test, options: JourneyOptions = {}) {
  const { port = await findFreePort(), environment, services } = options;
  const base = `http://127.0.0.1:${port}`;
  const test = await startTestApp(t, { PUBLIC_BASE_URL: base, ...environment }, services);
  await test.app.listen({ host: '127.0.0.1', port });
  const user = await test.createUser();
  const open = await openBrowser(t);
  const page = await open({ locale: 'en', viewport: { width: 390, height: 844 } });
  const refusals = listRefusals(page);
  const home = `${base}/app/${user.id}`;
  await signIn(page, base, user);
  await page.waitForURL(home);

  /** The page that is shown is as wide as the window, and nothing of it was refused so far. */
  const check = async (what: string): Promise<void> => {
    t.ok((await measureHorizontalOverflow(page)) <= 0, `${what}: no horizontal overflow`);
    t.same(withoutScriptsOfFrames(refusals), [], what);
  };
  const follow = (name: string): Promise<void> =>
    page.getByRole('link', { name, exact: true }).first().click();
  const press = (name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).first().click();
  /** Wait for a text of the page. */
  const expect = (text: string | RegExp): Promise<void> =>
    page.locator('main').getByText(text).first().waitFor();
  return { test, user, base, home, open, page, check, follow, press, expect };
}

/** Fill the form of the sign-in. */
export async function signIn(page: Page, base: string, { email }: Pick<TestUser, 'email'>): Promise<void> {
  await page.goto(`${base}/app/sign-in`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Create a code of an owner. */
export async function createCode({ call }: TestApp, { accessToken }: TestUser): Promise<string> {
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex', species: 'Dog' } };
  const made = await call('POST', '/api/qrcodes', { token: accessToken, body });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.id;
}
