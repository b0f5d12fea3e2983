import { request } from 'node:http';
import type { Test } from 'tap';
import { startOidcEmulator } from '../../../packages/oidc-emulator/src/start-oidc-emulator.ts';
import { createOpenIdIdentityProvider } from '../../../src/providers/identity/openid-identity-provider.ts';
import {
  exchangeCode,
  followCallback,
  isErrorRedirect,
  startSignIn,
} from '../../features/identity/sign-in/helper.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';

const LOG = { info() {}, warn() {}, error() {} };

async function startEmulator(t: Test) {
  const redirectUri = 'https://qr.example.org/api/auth/google/callback';
  const started = await startOidcEmulator({ redirectUri, log: LOG });
  t.teardown(() => started.close());
  return started;
}

/** A browser with the cookies of one site that does not follow redirects. */
function browser() {
  const cookies = new Map<string, string>();
  return async (url: string, form?: Record<string, string>) => {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    return {
      status: answer.status,
      text: await answer.text(),
      next: location ? new URL(location, url).href : '',
    };
  };
}

/** Submit an address on the emulator's page and return the parameters of the redirect. */
async function typeAddress(t: Test, authorizationUrl: string, form: Record<string, string>) {
  const visit = browser();
  const page = await visit((await visit(authorizationUrl)).next);
  const signInPage = await visit(authorizationUrl);
  t.equal(page.status, 200);
  t.match(page.text, 'This is not Google, and nobody is checked here.');
  const back = await visit((await visit(signInPage.next, form)).next);
  return Object.fromEntries(new URL(back.next).searchParams);
}

t.test('a user signs in through a real OpenID Connect provider, from start to end', async (t) => {
  const { issuer, clientId, clientSecret } = await startEmulator(t);
  const app = await startTestApp(t, {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    FRONTEND_URL: 'https://app.example.org/base',
  });
  const go = async (form: Record<string, string>) => {
    const { authorizationUrl, cookie } = await startSignIn(app);
    const query = await typeAddress(t, authorizationUrl, form);
    return { query, cookie, answer: await followCallback(app, query, cookie) };
  };
  const { query, cookie, answer } = await go({ email: 'Ada@example.org', verified: 'yes' });
  t.match(query, { code: String, state: String, iss: issuer });
  const tokens = await exchangeCode(app, answer);
  t.match(tokens.body.user, { email: 'ada@example.org', status: 'VERIFIED' });
  t.ok(isErrorRedirect(await followCallback(app, query, cookie)), 'a replayed response is refused');
  t.ok(isErrorRedirect((await go({ email: 'eve@example.org' })).answer, 'email_not_verified'));

  const begun = await startSignIn(app);
  const theirs = await go({ email: 'mallory@example.org', verified: 'yes' });
  const mixed = { ...theirs.query, state: new URL(begun.authorizationUrl).searchParams.get('state') ?? '' };
  t.ok(isErrorRedirect(await followCallback(app, mixed, begun.cookie)), 'a code of another sign-in');

  const dropped = new URL((await startSignIn(app)).authorizationUrl);
  dropped.searchParams.delete('code_challenge');
  dropped.searchParams.delete('code_challenge_method');
  t.match((await browser()(dropped.href)).next, /error=invalid_request/, 'without PKCE there is no code');
});

t.test('rejects an invalid address; the page needs no script', async (t) => {
  const { issuer, clientId, clientSecret } = await startEmulator(t);
  const identity = createOpenIdIdentityProvider({ issuer, clientId, clientSecret, isEmulator: true });
  const url = await identity.createAuthorizationUrl({
    redirectUri: 'https://qr.example.org/api/auth/google/callback',
    state: 's',
    nonce: 'n',
    codeVerifier: 'v'.repeat(43),
  });
  const visit = browser();
  const { next } = await visit(url);
  for (const email of ['', 'nobody', 'a b@example.org', 'a@b@c', 'x'.repeat(300)]) {
    const again = await visit(next, { email, verified: 'yes' });
    t.equal(again.status, 200, email);
    t.notMatch(again.text, /<script/);
  }
  t.equal((await visit(next, { email: 'x'.repeat(10_000) })).status, 400);
  t.equal((await browser()(next)).status, 400, 'an unknown page');
});

t.test('listens on loopback under its own host name only', async (t) => {
  const { issuer } = await startEmulator(t);
  const url = new URL(issuer);
  t.equal(url.hostname, '127.0.0.1');
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: 'evil.example' };
    const path = '/.well-known/openid-configuration';
    request({ port: url.port, host: url.hostname, path, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });
  t.equal(status, 404);
  t.equal((await fetch(`${issuer}/.well-known/openid-configuration`)).status, 200);
});
