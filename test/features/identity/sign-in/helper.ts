import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { startTestApp, type TestApp, type TestResponse } from '../../../helper.ts';
import {
  startTestIdentityProvider,
  type TestIdentityProvider,
} from '../../../providers/identity/test-identity-provider.ts';

export const SIGN_IN_URL = '/api/auth/google';
export const CALLBACK_URL = '/api/auth/google/callback';
export const EXCHANGE_URL = '/api/auth/google/exchange';
export const ID_TOKEN_URL = '/api/auth/google/token';

export const FRONTEND_SIGN_IN_URL = 'https://app.example.org/base/sign-in';

export interface StartedSignIn {
  authorizationUrl: string;
  cookie: string;
}

/** Start the application with a configurable identity provider and a browser's steps between the two. */
export async function startSignInApp(t: Test, environment: Record<string, string> = {}) {
  const provider = await startTestIdentityProvider(t);
  const app = await startTestApp(t, {
    ...provider.environment,
    FRONTEND_URL: 'https://app.example.org/base',
    ...environment,
  });
  return { ...app, provider, ...createTestBrowser(app, provider) };
}

export type SignInApp = Awaited<ReturnType<typeof startSignInApp>>;

function createTestBrowser(app: TestApp, provider: TestIdentityProvider) {
  const begin = (codeChallenge?: string) => startSignIn(app, codeChallenge);
  const returnFromProvider = (query: Record<string, string>, cookie?: string) =>
    followCallback(app, query, cookie);

  const authorize = async (claims: Record<string, unknown>, codeChallenge?: string) => {
    const started = await begin(codeChallenge);
    return returnFromProvider(provider.authorize(started.authorizationUrl, claims), started.cookie);
  };

  const signIn = async (claims: Record<string, unknown>) => {
    return exchangeCode(app, await authorize(claims));
  };
  return { begin, returnFromProvider, authorize, signIn };
}

/** Start a sign-in as a JSON client; repeated while a loaded machine answers PROVIDER_UNAVAILABLE. */
export async function startSignIn(app: TestApp, codeChallenge?: string): Promise<StartedSignIn> {
  for (let tries = 1; ; tries++) {
    const answer = await app.call(
      'GET',
      codeChallenge ? `${SIGN_IN_URL}?codeChallenge=${codeChallenge}` : SIGN_IN_URL,
    );
    if (answer.status === 200 || tries === 5)
      return { authorizationUrl: answer.body?.authorizationUrl, cookie: getCookie(answer) };
    await sleep(1_000);
  }
}

export function followCallback(
  app: TestApp,
  query: Record<string, string>,
  cookie = '',
): Promise<TestResponse> {
  return app.call('GET', `${CALLBACK_URL}?${new URLSearchParams(query)}`, {
    headers: { ...(cookie ? { cookie } : {}), accept: 'text/html' },
  });
}

export function getFragmentParameter(answer: TestResponse, name: 'code' | 'error'): string {
  const { hash } = new URL(String(answer.headers.location));
  return new URLSearchParams(hash.slice(1)).get(name) ?? '';
}

export function exchangeCode(app: TestApp, answer: TestResponse, more: object = {}): Promise<TestResponse> {
  const headers = { cookie: getCodeCookie(answer) };
  return app.call('POST', EXCHANGE_URL, {
    body: { code: getFragmentParameter(answer, 'code'), ...more },
    headers,
  });
}

export function getCodeCookie(answer: TestResponse): string {
  const all = [answer.headers['set-cookie'] ?? []].flat().map(String);
  return /^[^;]+/.exec(all.find((line) => /^(__Host-)?sign-in-code=/.test(line)) ?? '')?.[0] ?? '';
}

/** Check for a redirect to the front end with an error word and nothing else. */
export function isErrorRedirect(
  answer: TestResponse,
  word = 'sign_in_failed',
  frontEnd = FRONTEND_SIGN_IN_URL,
): boolean {
  return (
    answer.status === 302 && answer.headers.location === `${frontEnd}#error=${word}` && answer.text === ''
  );
}

export function createCodeChallenge() {
  const codeVerifier = randomBytes(32).toString('base64url');
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') };
}

export function getCookie(answer: TestResponse): string {
  return String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';
}
