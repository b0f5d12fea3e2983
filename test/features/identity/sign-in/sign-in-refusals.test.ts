import { createHash } from 'node:crypto';
import { t } from '../../../tap.ts';
import { findAuditEntries, isProblem, runConcurrently } from '../accounts/helper.ts';
import { pauseTransaction, waitForLock } from '../accounts/paused-operations.ts';
import {
  CALLBACK_URL,
  createCodeChallenge,
  EXCHANGE_URL,
  exchangeCode,
  followCallback,
  getCodeCookie,
  getFragmentParameter,
  isErrorRedirect,
  SIGN_IN_URL,
  startSignInApp,
} from './helper.ts';
import { startSecondInstance } from './second-instance.ts';

const ADA = { sub: '1001', email: 'Ada@Example.org', given_name: 'Ada', family_name: 'Lovelace' };

const app = await startSignInApp(t);

t.test('only one of ten parallel uses of a state at two instances works', async (t) => {
  const { authorizationUrl, cookie } = await app.begin();
  const query = app.provider.authorize(authorizationUrl, ADA);
  const other = await startSecondInstance(t, app);
  const answers = await runConcurrently(10, (index) =>
    followCallback(index % 2 ? app : other, query, cookie),
  );
  t.equal(answers.filter((answer) => getFragmentParameter(answer, 'code') !== '').length, 1);
  const refused = answers.filter((answer) => isErrorRedirect(answer)).length;
  // A loaded machine answers some with "try again".
  t.equal(refused + answers.filter((answer) => isErrorRedirect(answer, 'try_again')).length, 9);
  t.ok(isErrorRedirect(await app.returnFromProvider(query, cookie)), 'replayed');
  const fresh = { ...app.provider.authorize(authorizationUrl, ADA) };
  t.ok(isErrorRedirect(await app.returnFromProvider(fresh, cookie)), 'with a fresh code');
  t.equal((await findAuditEntries(app, 'IDENTITY_SIGN_IN_REJECTED')).length, refused + 2);
  t.equal(await app.database.client.session.count(), 0);
});

t.test('a state is rejected without its cookie or with the cookie of another sign-in', async (t) => {
  const before = (await findAuditEntries(app, 'IDENTITY_SIGN_IN_REJECTED')).length;
  const [mine, theirs] = [await app.begin(), await app.begin()];
  const query = () => app.provider.authorize(mine.authorizationUrl, ADA);
  const { state } = query();
  const [start, seconds] = state.split('.');
  const refused: [string, Record<string, string>, string][] = [
    ['no cookie', query(), ''],
    ['the cookie of another sign-in', query(), theirs.cookie],
    ['a cookie without __Host-', query(), mine.cookie.replace('__Host-', '')],
    ['no state', { code: query().code, iss: app.provider.issuer }, mine.cookie],
    ['a state of another', { ...query(), state: 'x'.repeat(43) }, mine.cookie],
    ['a state with a later expiry', { ...query(), state: `${start}.${Number(seconds) + 600}` }, mine.cookie],
    [
      'a state with an unsigned challenge',
      { ...query(), state: `${state}.${'a'.repeat(43)}.${'b'.repeat(43)}` },
      mine.cookie,
    ],
    ['nothing at all', {}, ''],
  ];
  for (const [name, answer, cookie] of refused)
    t.ok(isErrorRedirect(await app.returnFromProvider(answer, cookie)), name);
  t.equal(
    (await findAuditEntries(app, 'IDENTITY_SIGN_IN_REJECTED')).length,
    before + refused.length,
    'each has an audit entry',
  );
  t.ok(
    getFragmentParameter(await app.returnFromProvider(query(), `other=1; ${mine.cookie}; more=2`), 'code'),
    'the state is still unused',
  );
});

t.test('parameters are not reflected and do not decide the redirect target, and HEAD is 404', async (t) => {
  const evil = [
    'https://evil.example',
    '//evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/\r\nX: y',
  ];
  const names = ['redirect', 'redirect_uri', 'prompt', 'error', 'iss', 'code', 'scope', 'authuser'];
  const lures = [
    ...evil.map((value) => ({ name: 'state', value })),
    ...names.map((name, index) => ({ name, value: evil[index % evil.length] ?? '' })),
  ];
  for (const { name, value } of lures) {
    const { authorizationUrl, cookie } = await app.begin();
    const { state } = app.provider.authorize(authorizationUrl, ADA);
    const answer = await app.returnFromProvider({ state, [name]: value }, cookie);
    t.ok(isErrorRedirect(answer), `${name}=${value}`);
    t.notOk(JSON.stringify(answer.headers).includes('evil'));
  }
  for (const query of [
    'state=a&state=b',
    'state=%ff',
    'state=%00',
    '__proto__=1',
    'a[]=1',
    'state=%',
    'x'.repeat(5_000),
  ]) {
    t.ok(isErrorRedirect(await app.call('GET', `${CALLBACK_URL}?${query}`)), query.slice(0, 20));
  }
  t.equal((await app.call('HEAD', CALLBACK_URL)).status, 405, 'a link preview does not consume the response');
  for (const path of [
    `${SIGN_IN_URL}?redirect=//evil.example`,
    `${SIGN_IN_URL}?codeChallenge=&next=//evil.example`,
  ]) {
    t.notOk(JSON.stringify((await app.call('GET', path)).body).includes('evil'));
  }
});

t.test('a client of another origin binds the sign-in with its own challenge', async (t) => {
  const { codeVerifier, codeChallenge } = createCodeChallenge();
  const code = async (challenge?: string) =>
    getFragmentParameter(await app.authorize(ADA, challenge), 'code');
  const exchange = (body: object) => app.call('POST', EXCHANGE_URL, { body });

  const started = await app.call('GET', `${SIGN_IN_URL}?codeChallenge=${codeChallenge}`);
  t.equal(started.headers['set-cookie'], undefined, 'no cookie is needed');
  t.equal((await exchange({ code: await code(codeChallenge), codeVerifier })).status, 200);
  const bound = await code(codeChallenge);
  t.ok(
    isProblem(
      await exchange({ code: bound, codeVerifier: createCodeChallenge().codeVerifier }),
      401,
      'SIGN_IN_INVALID',
    ),
  );
  t.equal((await exchange({ code: bound, codeVerifier })).status, 401, 'a wrong verifier uses up the code');
  t.equal((await exchange({ code: await code(codeChallenge) })).status, 401, 'no verifier');
  t.equal(
    (await exchange({ code: await code(), codeVerifier })).status,
    401,
    'a verifier without a challenge',
  );
  for (const challenge of ['short', 'a'.repeat(44), `${'a'.repeat(42)}+`]) {
    t.equal(
      (await app.call('GET', `${SIGN_IN_URL}?codeChallenge=${encodeURIComponent(challenge)}`)).status,
      400,
    );
  }
  const { authorizationUrl } = await app.begin(codeChallenge);
  const query = app.provider.authorize(authorizationUrl, ADA);
  const foreign = query.state.replace(codeChallenge, createCodeChallenge().codeChallenge);
  t.ok(isErrorRedirect(await app.returnFromProvider({ ...query, state: foreign })), 'a replaced challenge');
});

t.test('a denial and errors at the provider each have an error code', async (t) => {
  const words = {
    access_denied: 'access_denied',
    login_required: 'sign_in_failed',
    server_error: 'provider_unavailable',
  };
  for (const [error, word] of Object.entries(words)) {
    const { authorizationUrl, cookie } = await app.begin();
    const { state, iss } = app.provider.authorize(authorizationUrl, ADA);
    t.ok(isErrorRedirect(await app.returnFromProvider({ state, iss, error }, cookie), word), error);
  }
  t.ok(
    isErrorRedirect(await app.returnFromProvider({ state: 'x', error: 'access_denied' })),
    'only with a valid state',
  );
});

t.test('a code issued to another browser is rejected', async (t) => {
  const EVE = { sub: '666', email: 'eve@example.org' };
  const post = (body: object, cookie = '') =>
    app.call('POST', EXCHANGE_URL, { body, ...(cookie ? { headers: { cookie } } : {}) });
  const exchangePlantedCode = async (cookie = '') => {
    const code = getFragmentParameter(await app.authorize(EVE), 'code');
    return { code, answer: await post({ code }, cookie) };
  };
  const { code, answer } = await exchangePlantedCode();
  t.ok(isProblem(answer, 401, 'SIGN_IN_INVALID'), 'a browser without a sign-in');
  t.equal((await post({ code })).status, 401, 'the attempt uses up the code');
  const started = await app.begin();
  t.equal((await exchangePlantedCode(started.cookie)).answer.status, 401, 'a browser with a started sign-in');
  const own = getCodeCookie(await app.authorize(ADA));
  t.equal((await exchangePlantedCode(own)).answer.status, 401, 'a browser with its own code');
  t.equal((await exchangePlantedCode(own.replace('__Host-', ''))).answer.status, 401);

  const ofNothing = createHash('sha256').update('').digest('base64url');
  const challenged = await app.authorize(EVE, ofNothing);
  t.equal(getCodeCookie(challenged), '', 'with a challenge there is no cookie');
  t.equal(
    (await post({ code: getFragmentParameter(challenged, 'code') })).status,
    401,
    'the challenge of an empty verifier',
  );
  const mine = await app.authorize(ADA);
  t.equal((await exchangeCode(app, mine)).status, 200);
  t.equal((await exchangeCode(app, mine)).status, 401, 'a code works once');
});

t.test('a sign-in fails when a suspension commits meanwhile', async (t) => {
  const { user } = (await app.signIn(ADA)).body;
  const returned = await app.authorize(ADA);
  const suspension = pauseTransaction(app, (tx) =>
    tx.user.update({ where: { id: user.id }, data: { status: 'SUSPENDED' } }),
  );
  await suspension.paused;
  const late = exchangeCode(app, returned);
  await waitForLock(app, late);
  suspension.release();
  await suspension.done;
  t.ok(isProblem(await late, 403, 'ACCOUNT_SUSPENDED'));
});
