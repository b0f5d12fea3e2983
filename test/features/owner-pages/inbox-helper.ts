import type { Test } from 'tap';
import { PHONE_USER_AGENT, TEST_PASSWORD, type TestResponse, type TestUser } from '../../helper.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';
import { TestBrowser } from './browser.ts';

/** Start the service with a code, and helpers to write about it and to sign in. */
export async function startInbox(t: Test, environment: Record<string, string> = {}) {
  const test = await startScans(t, environment);
  const { call, owner } = test;

  /** Write to the owner after a scan of a code. */
  const write = async (
    qrCodeId: string,
    body: Record<string, unknown>,
    { position, language = 'de' }: { position?: object; language?: string } = {},
  ): Promise<TestResponse> => {
    const headers = { 'user-agent': PHONE_USER_AGENT, 'accept-language': language };
    const made = await test.scan({ qrCodeId, ...position }, { headers });
    const opened = await call('POST', '/api/conversations/public', {
      body: { scanId: made.body.scan.id, ...body },
      headers: { ...createTokenHeader(made), ...headers },
    });
    if (opened.status !== 201) throw new Error(opened.text);
    return opened;
  };
  const signIn = async ({ email }: Pick<TestUser, 'email'> = owner): Promise<TestBrowser> => {
    const browser = new TestBrowser(test);
    await browser.open('/app/sign-in');
    await browser.send('/sign-in', { email, password: TEST_PASSWORD });
    return browser;
  };
  return { ...test, write, signIn, path: `/app/${owner.id}` };
}
