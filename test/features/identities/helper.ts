import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { type Answer, startApp, type TestApp } from '../../helper.ts';
import { type LooseProvider, startLooseProvider } from '../../providers/identity/loose-provider.ts';

export const START = '/api/auth/google';
export const CALLBACK = '/api/auth/google/callback';
export const EXCHANGE = '/api/auth/google/exchange';
export const TOKEN = '/api/auth/google/token';

/** Where every sign-in ends, whatever was sent. */
export const FRONT_END = 'https://app.example.org/base/sign-in';

/** A sign-in that was begun: where to go, and the cookie that binds it. */
export interface Begun {
  authorizationUrl: string;
  cookie: string;
}

/** The application with a provider that does as it is told, and what a browser does between the two. */
export async function startSignIns(t: Test, environment: Record<string, string> = {}) {
  const provider = await startLooseProvider(t);
  const app = await startApp(t, {
    ...provider.environment,
    FRONTEND_URL: 'https://app.example.org/base',
    ...environment,
  });
  return { ...app, provider, ...browserOf(app, provider) };
}

export type SignIns = Awaited<ReturnType<typeof startSignIns>>;

function browserOf(app: TestApp, provider: LooseProvider) {
  const begin = (codeChallenge?: string) => beginSignIn(app, codeChallenge);
  const comeBack = (query: Record<string, string>, cookie?: string) => returnTo(app, query, cookie);

  /** A sign-in of a person, up to the redirect to the front end. */
  const goAndReturn = async (claims: Record<string, unknown>, codeChallenge?: string) => {
    const begun = await begin(codeChallenge);
    return comeBack(provider.authorize(begun.authorizationUrl, claims), begun.cookie);
  };

  /** A whole sign-in: the answer with the tokens. */
  const signIn = async (claims: Record<string, unknown>) => {
    return exchange(app, await goAndReturn(claims));
  };
  return { begin, comeBack, goAndReturn, signIn };
}

/** Begins as a client that reads JSON; again where a machine under load was too slow to ask the provider. */
export async function beginSignIn(app: TestApp, codeChallenge?: string): Promise<Begun> {
  for (let tries = 1; ; tries++) {
    const answer = await app.call('GET', codeChallenge ? `${START}?codeChallenge=${codeChallenge}` : START);
    if (answer.status === 200 || tries === 5)
      return { authorizationUrl: answer.body?.authorizationUrl, cookie: cookieOf(answer) };
    await sleep(1_000);
  }
}

/** The browser comes back from the provider. */
export function returnTo(app: TestApp, query: Record<string, string>, cookie = ''): Promise<Answer> {
  return app.call('GET', `${CALLBACK}?${new URLSearchParams(query)}`, {
    headers: { ...(cookie ? { cookie } : {}), accept: 'text/html' },
  });
}

/** A parameter of the fragment that the front end gets. */
export function wordOf(answer: Answer, name: 'code' | 'error'): string {
  const { hash } = new URL(String(answer.headers.location));
  return new URLSearchParams(hash.slice(1)).get(name) ?? '';
}

/** The browser changes the code that it was given, with the cookie that came with it. */
export function exchange(app: TestApp, answer: Answer, more: object = {}): Promise<Answer> {
  const headers = { cookie: codeCookieOf(answer) };
  return app.call('POST', EXCHANGE, { body: { code: wordOf(answer, 'code'), ...more }, headers });
}

/** Name and value of the cookie that binds a one-time code; empty where none was set. */
export function codeCookieOf(answer: Answer): string {
  const all = [answer.headers['set-cookie'] ?? []].flat().map(String);
  return /^[^;]+/.exec(all.find((line) => /^(__Host-)?sign-in-code=/.test(line)) ?? '')?.[0] ?? '';
}

/** Whether an answer is the redirect to the front end with an error word, and nothing else. */
export function isRefusal(answer: Answer, word = 'sign_in_failed', frontEnd = FRONT_END): boolean {
  return (
    answer.status === 302 && answer.headers.location === `${frontEnd}#error=${word}` && answer.text === ''
  );
}

/** A secret of a client of another origin, and its challenge. */
export function newChallenge() {
  const codeVerifier = randomBytes(32).toString('base64url');
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') };
}

/** The name and value of the cookie that an answer sets. */
export function cookieOf(answer: Answer): string {
  return String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';
}
