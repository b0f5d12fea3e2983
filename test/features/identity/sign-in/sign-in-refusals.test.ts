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

t.test('of ten parallel uses of a state at two instances one works', async (t) => {
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

t.test('without its cookie, or with that of another sign-in, a state is refused', async (t) => {
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
    ['a state that lasts longer', { ...query(), state: `${start}.${Number(seconds) + 600}` }, mine.cookie],
    [
      'a state with a challenge that nobody signed',
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
    'each has an entry',
  );
  t.ok(
    getFragmentParameter(await app.returnFromProvider(query(), `other=1; ${mine.cookie}; more=2`), 'code'),
    'and none has used it up',
  );
});

t.test(
  'parameters are not reflected, do not decide the redirect target, and a HEAD uses nothing up',
  async (t) => {
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
    t.equal((await app.call('HEAD', CALLBACK_URL)).status, 404);
    for (const path of [
      `${SIGN_IN_URL}?redirect=//evil.example`,
      `${SIGN_IN_URL}?codeChallenge=&next=//evil.example`,
    ]) {
      t.notOk(JSON.stringify((await app.call('GET', path)).body).includes('evil'));
    }
  },
);

t.test('a client of another origin binds the sign-in by its own challenge', async (t) => {
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
  t.equal((await exchange({ code: bound, codeVerifier })).status, 401, 'a wrong secret has used it up');
  t.equal((await exchange({ code: await code(codeChallenge) })).status, 401, 'no secret');
  t.equal((await exchange({ code: await code(), codeVerifier })).status, 401, 'a secret of nothing');
  for (const challenge of ['short', 'a'.repeat(44), `${'a'.repeat(42)}+`]) {
    t.equal(
      (await app.call('GET', `${SIGN_IN_URL}?codeChallenge=${encodeURIComponent(challenge)}`)).status,
      400,
    );
  }
  const { authorizationUrl } = await app.begin(codeChallenge);
  const query = app.provider.authorize(authorizationUrl, ADA);
  const foreign = query.state.replace(codeChallenge, createCodeChallenge().codeChallenge);
  t.ok(
    isErrorRedirect(await app.returnFromProvider({ ...query, state: foreign })),
    'a challenge put in its place',
  );
});

t.test('A no at the provider, and its troubles, each have their word', async (t) => {
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
    'only for a state of ours',
  );
});

t.test('a code issued to another browser signs nobody in', async (t) => {
  const EVE = { sub: '666', email: 'eve@example.org' };
  const post = (body: object, cookie = '') =>
    app.call('POST', EXCHANGE_URL, { body, ...(cookie ? { headers: { cookie } } : {}) });
  const exchangePlantedCode = async (cookie = '') => {
    const code = getFragmentParameter(await app.authorize(EVE), 'code');
    return { code, answer: await post({ code }, cookie) };
  };
  const { code, answer } = await exchangePlantedCode();
  t.ok(isProblem(answer, 401, 'SIGN_IN_INVALID'), 'a browser that began nothing');
  t.equal((await post({ code })).status, 401, 'which has used it up');
  const started = await app.begin();
  t.equal((await exchangePlantedCode(started.cookie)).answer.status, 401, 'one that has begun');
  const own = getCodeCookie(await app.authorize(ADA));
  t.equal((await exchangePlantedCode(own)).answer.status, 401, 'one that was given a code of its own');
  t.equal((await exchangePlantedCode(own.replace('__Host-', ''))).answer.status, 401);

  const ofNothing = createHash('sha256').update('').digest('base64url');
  const challenged = await app.authorize(EVE, ofNothing);
  t.equal(getCodeCookie(challenged), '', 'with a challenge there is no cookie');
  t.equal(
    (await post({ code: getFragmentParameter(challenged, 'code') })).status,
    401,
    'the challenge of no secret',
  );
  const mine = await app.authorize(ADA);
  t.equal((await exchangeCode(app, mine)).status, 200);
  t.equal((await exchangeCode(app, mine)).status, 401, 'once');
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
