import { deleteExpiredSignInCodes } from '../../../../src/features/identity/sign-in/sign-in-code.repository.ts';
import { deleteExpiredSignInProofs } from '../../../../src/features/identity/sign-in/sign-in-proof.repository.ts';
import { startTestApp, TEST_PASSWORD, type TestResponse } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import {
  countStatuses,
  findAuditEntries,
  isProblem,
  queryDatabase,
  requestResetToken,
  runConcurrently,
} from '../accounts/helper.ts';
import {
  CALLBACK_URL,
  EXCHANGE_URL,
  exchangeCode,
  followCallback,
  getCookie,
  getFragmentParameter,
  isErrorRedirect,
  SIGN_IN_URL,
  startSignIn,
  startSignInApp,
} from './helper.ts';

const ADA = { sub: '1001', email: 'Ada@Example.org', given_name: 'Ada', family_name: 'Lovelace' };

t.test('a new user signs in', async (t) => {
  const app = await startSignInApp(t);
  const { call, provider, begin, returnFromProvider, database } = app;

  const started = await call('GET', SIGN_IN_URL);
  t.match(started.body, { configured: true, authorizationUrl: String });
  const setCookie = String(started.headers['set-cookie']);
  t.match(setCookie, /^__Host-sign-in=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  t.equal(started.headers['cache-control'], 'no-store');
  const url = new URL(started.body.authorizationUrl);
  t.equal(url.origin + url.pathname, `${provider.issuer}/authorize`);
  t.match(Object.fromEntries(url.searchParams), {
    response_type: 'code',
    client_id: 'the-service',
    redirect_uri: `https://qr.example.org${CALLBACK_URL}`,
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    code_challenge: /^[\w-]{43}$/,
    state: /^[\w-]{43}\.\d{10}$/,
    nonce: /^[\w-]{43}$/,
  });

  const trail = await captureAuditEntries({ database }, async () => {
    const { authorizationUrl, cookie } = await begin();
    const answer = await returnFromProvider(
      { ...provider.authorize(authorizationUrl, ADA), scope: 'openid', authuser: '0', prompt: 'none' },
      cookie,
    );
    t.equal(answer.status, 302);
    t.match(String(answer.headers.location), /^https:\/\/app\.example\.org\/base\/sign-in#code=[\w-]{43}$/);
    t.match(
      answer.headers['set-cookie'],
      [
        /^__Host-sign-in-code=[\w-]{43}; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
        /^__Host-sign-in=; Max-Age=0; Path=\/; /,
      ],
      'the state cookie is deleted, and another cookie binds the code',
    );
    t.equal(answer.headers['referrer-policy'], 'no-referrer');
    const tokens = await exchangeCode(app, answer);
    t.match(String(tokens.headers['set-cookie']), /^__Host-sign-in-code=; Max-Age=0; Path=\/; /);
    t.match(tokens.body, {
      accessToken: String,
      refreshToken: String,
      deviceToken: String,
      tokenType: 'Bearer',
      user: {
        email: 'ada@example.org',
        status: 'VERIFIED',
        role: 'USER',
        firstName: 'Ada',
        lastName: 'Lovelace',
      },
    });
    const token = tokens.body.accessToken;
    t.match((await call('GET', '/api/auth/me', { token })).body, { nextStep: 'CREATE_PROFILE' });
    const profile = await call('POST', '/api/auth/create-profile', {
      token,
      body: { accountType: 'INDIVIDUAL' },
    });
    t.match(
      profile.body,
      { firstName: 'Ada', lastName: 'Lovelace', status: 'ACTIVE' },
      'the names were kept',
    );
  });
  t.match(
    trail.map(({ action }) => action),
    [
      'IDENTITY_ACCOUNT_CREATED',
      'IDENTITY_LINKED',
      'IDENTITY_CONFIRMED',
      'IDENTITY_LOGIN_SUCCEEDED',
      'PROFILE_CREATED',
    ],
  );

  await t.test('a returning user is recognized by the subject, even with another address', async (t) => {
    const { authorizationUrl, cookie } = await begin();
    const answer = await returnFromProvider(
      provider.authorize(authorizationUrl, { ...ADA, email: 'ada.byron@example.org' }),
      cookie,
    );
    const tokens = await exchangeCode(app, answer);
    t.match(tokens.body.user, { email: 'ada@example.org', status: 'ACTIVE' });
    t.equal(await database.client.user.count(), 1);
    t.equal(await database.client.notification.count({ where: { event: 'login.created' } }), 2);
  });

  await t.test('an account without a password gets the same 401 as an unknown address', async (t) => {
    const logIn = (email: string) =>
      call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD } });
    const [known, unknown] = [await logIn('ada@example.org'), await logIn('nobody@example.org')];
    t.ok(isProblem(known, 401, 'CREDENTIALS_INVALID'));
    t.same({ ...known.body, requestId: '' }, { ...unknown.body, requestId: '' });
    for (const password of ['', ' ', '\u0000']) {
      const answer = await call('POST', '/api/auth/login', {
        body: { email: 'ada@example.org', password },
      });
      t.ok(answer.status === 401 || answer.status === 400);
    }
  });
});

t.test('only one of 20 parallel exchanges of a code gets tokens', async (t) => {
  const app = await startSignInApp(t);
  const returned = await app.authorize(ADA);
  const code = getFragmentParameter(returned, 'code');
  const answers = await runConcurrently(20, () => exchangeCode(app, returned));
  const { 200: successes, 401: refused = 0, 503: busy = 0 } = countStatuses(answers);
  t.equal(successes, 1);
  // A loaded machine answers some with "try again".
  t.equal(refused + busy, 19);
  t.equal(await app.database.client.session.count(), 1);
  t.equal((await findAuditEntries(app, 'IDENTITY_SIGN_IN_REJECTED')).length, refused);

  const late = await app.authorize(ADA);
  await queryDatabase(app, "UPDATE sign_in_codes SET expires_at = now() - interval '1 second'");
  t.ok(isProblem(await exchangeCode(app, late), 401, 'SIGN_IN_INVALID'), 'expired');
  for (const body of [{}, { code: '' }, { code: 7 }, { code: 'x'.repeat(201) }]) {
    t.equal((await app.call('POST', EXCHANGE_URL, { body })).status, 400);
  }
  const stored = JSON.stringify(await queryDatabase(app, 'SELECT * FROM sign_in_codes'));
  t.notOk(stored.includes(code), 'codes are stored as hashes');
});

t.test('a browser gets a page that redirects to the provider without a script', async (t) => {
  const { call } = await startSignInApp(t);
  const page = await call('GET', SIGN_IN_URL, {
    headers: { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' },
  });
  t.equal(page.status, 200);
  t.match(page.headers, {
    'content-type': /^text\/html/,
    refresh: /^0; url=http:\/\/127/,
    'cache-control': 'no-store',
  });
  t.match(String(page.headers['content-security-policy']), "default-src 'none'");
  t.notMatch(page.text, /<script/);
  const link = /<a href="([^"]+)">/.exec(page.text)?.[1]?.replaceAll('&#38;', '&') ?? '';
  t.equal(`0; url=${link}`, page.headers.refresh);
  t.match(getCookie(page), /^__Host-sign-in=/);
});

t.test(
  'without a front end a sign-in ends on a page of the service; over HTTP the cookie has no prefix',
  async (t) => {
    const { provider } = await startSignInApp(t);
    const app = await startTestApp(t, { ...provider.environment, PUBLIC_BASE_URL: 'http://localhost:3000' });
    const { authorizationUrl, cookie } = await startSignIn(app);
    t.match(cookie, /^sign-in=/);
    const answer = await followCallback(app, provider.authorize(authorizationUrl, ADA), cookie);
    t.match(String(answer.headers.location), /^http:\/\/localhost:3000\/api\/auth\/sign-in#code=/);
    const page = await app.call('GET', '/api/auth/sign-in');
    t.equal(page.status, 200);
    t.match(String(page.headers['content-security-policy']), /script-src 'sha256-[^']+'; connect-src 'self'/);
  },
);

t.test('a suspended user is rejected at the callback and when exchanging an earlier code', async (t) => {
  const app = await startSignInApp(t);
  const first = await app.signIn(ADA);
  const returned = await app.authorize(ADA);
  await queryDatabase(app, "UPDATE users SET status = 'SUSPENDED'");
  t.ok(isErrorRedirect(await app.authorize(ADA), 'account_suspended'));
  t.ok(isProblem(await exchangeCode(app, returned), 403, 'ACCOUNT_SUSPENDED'));
  t.equal((await app.call('GET', '/api/auth/me', { token: first.body.accessToken })).status, 403);
  const [callback, exchanged] = await findAuditEntries(app, 'IDENTITY_SIGN_IN_REJECTED');
  t.ok(callback?.resourceId, 'the entry names the account');
  t.equal(callback?.resourceId, exchanged?.resourceId);
  await queryDatabase(app, "UPDATE users SET status = 'DELETED'");
  t.ok(isErrorRedirect(await app.authorize(ADA)));
  t.equal(await app.database.client.session.count(), 1);
});

t.test('a sign-in that was begun before the sessions ended gets none', async (t) => {
  const app = await startSignInApp(t);
  const { body } = await app.signIn(ADA);
  const root = await app.createUser({ role: 'ADMIN' });
  const user = { token: body.accessToken };
  await app.call('POST', '/api/auth/create-profile', {
    ...user,
    body: { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' },
  });
  const reset = async () => {
    const resetToken = await requestResetToken(app, body.user.email);
    const changed = { token: resetToken, password: TEST_PASSWORD };
    return app.call('POST', '/api/auth/reset-password', { body: changed });
  };
  const administrator = { token: root.accessToken };
  const sessions = `/api/admin/users/${body.user.id}`;
  const ends: [string, () => Promise<TestResponse>][] = [
    ['a reset password', reset],
    ['an administrator', () => app.call('DELETE', `${sessions}/sessions`, administrator)],
    ['another role', () => app.call('PATCH', sessions, { ...administrator, body: { role: 'SUPPORT' } })],
  ];
  for (const [what, end] of ends) {
    const returned = await app.authorize(ADA);
    t.equal((await end()).status, 200, what);
    t.ok(isProblem(await exchangeCode(app, returned), 401, 'SIGN_IN_INVALID'), what);
    t.equal((await app.signIn(ADA)).status, 200, `${what}: a new sign-in works`);
  }
});

t.test('used sign-in proofs and codes are deleted after they expire', async (t) => {
  const app = await startSignInApp(t);
  await app.signIn(ADA);
  const { client } = app.database;
  const left = async () => [await client.signInCode.count(), await client.usedSignInProof.count()];
  await deleteExpiredSignInProofs(client);
  await deleteExpiredSignInCodes(client, new Date(Date.now() - 60_000));
  t.same(await left(), [1, 1]);
  await queryDatabase(app, "UPDATE used_sign_in_proofs SET expires_at = now() - interval '1 second'");
  await queryDatabase(app, "UPDATE sign_in_codes SET expires_at = now() - interval '1 hour'");
  await deleteExpiredSignInProofs(client);
  await deleteExpiredSignInCodes(client, new Date(Date.now() - 60_000));
  t.same(await left(), [0, 0]);
});
