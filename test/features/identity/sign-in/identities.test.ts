import { generateAbsentId, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  countStatuses,
  findAuditEntries,
  isProblem,
  listMailsCausedBy,
  queryDatabase,
  requestResetToken,
  runConcurrently,
} from '../accounts/helper.ts';
import { exchangeCode, ID_TOKEN_URL, isErrorRedirect, startSignInApp } from './helper.ts';

const app = await startSignInApp(t);
const { call } = app;
const list = (token: string) => call('GET', '/api/auth/identities', { token });
const unlink = (token: string, id: string) => call('DELETE', `/api/auth/identities/${id}`, { token });

t.test('users see the identities linked to their account', async (t) => {
  const { body } = await app.signIn({ sub: 'eve', email: 'eve@example.org' });
  const answer = await list(body.accessToken);
  t.match(answer.body, {
    data: [
      {
        id: String,
        issuer: app.provider.issuer,
        email: 'eve@example.org',
        createdAt: String,
        lastUsedAt: String,
      },
    ],
    pagination: { total: 1 },
  });
  t.notOk(answer.text.includes('"eve"'), 'not the subject');
  t.match(answer.headers, { 'cache-control': 'private, no-cache', etag: String });
  t.same((await list((await app.createUser()).accessToken)).body.data, []);
});

t.test('the last sign-in method of an account without a password cannot be removed', async (t) => {
  const email = 'only@example.org';
  const { body } = await app.signIn({ sub: 'only', email });
  const [{ id }] = (await list(body.accessToken)).body.data;
  t.ok(isProblem(await unlink(body.accessToken, id), 409, 'LAST_SIGN_IN_METHOD'));
  t.equal((await list(body.accessToken)).body.data.length, 1);
  const token = await requestResetToken(app, email);
  await call('POST', '/api/auth/reset-password', { body: { token, password: TEST_PASSWORD } });
  const logIn = (await call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD } })).body;
  const other = (await app.signIn({ sub: 'only', email })).body;
  const returned = await app.authorize({ sub: 'only', email });

  const mails = await listMailsCausedBy(app, email, async () => {
    t.same((await unlink(logIn.accessToken, id)).body, { id, deleted: true });
  });
  t.match(mails, [{ subject: /^127\.0\.0\.1:\d+ was unlinked from your account$/ }]);
  t.equal((await list(logIn.accessToken)).body.data.length, 0);
  t.equal(
    (await call('GET', '/api/auth/me', { token: other.accessToken })).status,
    401,
    'other sessions are ended',
  );
  t.equal((await exchangeCode(app, returned)).status, 401, 'a pending sign-in code is void');
  t.equal((await unlink(logIn.accessToken, id)).status, 404, 'already removed');
  t.match(await findAuditEntries(app, 'IDENTITY_UNLINKED'), [{ severity: 'HIGH', changes: ['identities'] }]);
  t.ok(isErrorRedirect(await app.authorize({ sub: 'only', email }), 'identity_conflict'), 'not linked again');
});

t.test('an unlinked identity is linked again only by its user', async (t) => {
  const email = 'again@example.org';
  const owner = await app.createUser({ email });
  const { provider } = app;
  t.equal((await app.signIn({ sub: 'again', email })).status, 200);
  const [{ id }] = (await list(owner.accessToken)).body.data;
  t.equal((await unlink(owner.accessToken, id)).status, 200);
  const signIn = (claims: { sub: string; email: string }) =>
    call('POST', ID_TOKEN_URL, { body: { idToken: provider.tokenOf(claims) } });
  t.ok(isProblem(await signIn({ sub: 'again', email }), 409, 'IDENTITY_CONFLICT'));
  t.ok(
    isProblem(await signIn({ sub: 'another', email }), 409, 'IDENTITY_CONFLICT'),
    'nor another of the provider',
  );
  t.equal(
    (await signIn({ sub: 'again', email: 'new@example.org' })).status,
    200,
    'it may have its own account',
  );
  t.match(await list(owner.accessToken), { body: { data: [] } });

  const entries = (await findAuditEntries(app, 'IDENTITY_LINKED')).length;
  const { accessToken: token } = owner;
  const link = (idToken: string) => call('POST', '/api/auth/identities', { token, body: { idToken } });
  const idToken = provider.tokenOf({ sub: 'third', email });
  const mails = await listMailsCausedBy(app, email, async () => {
    const linked = await link(idToken);
    t.match(linked, {
      status: 201,
      headers: { location: '/api/auth/identities' },
      body: { issuer: provider.issuer, email },
    });
    t.same(await link(idToken).then(({ status, body }) => ({ status, body })), {
      status: 200,
      body: linked.body,
    });
  });
  t.match(mails, [{ subject: /^You can now sign in with / }]);
  t.ok(
    isProblem(await call('POST', ID_TOKEN_URL, { body: { idToken } }), 401, 'SIGN_IN_INVALID'),
    'it was used',
  );
  t.equal((await app.signIn({ sub: 'third', email })).status, 200);
  t.equal(
    (await findAuditEntries(app, 'IDENTITY_LINKED')).length,
    entries + 2,
    'linking it twice is two entries',
  );
});

t.test('linking an identity is refused without proof of it, or where it would be the second', async (t) => {
  const { accessToken: token, email } = await app.createUser();
  const { provider } = app;
  const countRejections = async () => (await findAuditEntries(app, 'IDENTITY_SIGN_IN_REJECTED')).length;
  const before = await countRejections();
  const link = (claims: Record<string, unknown>) =>
    call('POST', '/api/auth/identities', { token, body: { idToken: provider.tokenOf(claims) } });
  const own = { sub: `sub-${email}`, email };
  t.ok(isProblem(await link({ ...own, email_verified: false }), 403, 'IDENTITY_NOT_VERIFIED'));
  t.equal((await app.signIn({ sub: 'elsewhere', email: 'elsewhere@example.org' })).status, 200);
  t.ok(isProblem(await link({ sub: 'elsewhere', email }), 409, 'IDENTITY_CONFLICT'), 'of another account');
  const garbage = await call('POST', '/api/auth/identities', { token, body: { idToken: 'a.b.c' } });
  t.ok(isProblem(garbage, 401, 'SIGN_IN_INVALID'));
  const used = provider.tokenOf(own);
  t.equal((await link({ ...own, email: 'other-address@example.org' })).status, 201, 'whatever its address');
  t.ok(isProblem(await link({ sub: 'second', email }), 409, 'IDENTITY_CONFLICT'));
  const [{ id }] = (await list(token)).body.data;
  t.equal((await call('POST', ID_TOKEN_URL, { body: { idToken: used } })).status, 200);
  t.equal((await unlink(token, id)).status, 200);
  t.ok(
    isProblem(
      await call('POST', '/api/auth/identities', { token, body: { idToken: used } }),
      401,
      'SIGN_IN_INVALID',
    ),
    'a used token links nothing',
  );
  t.equal(await countRejections(), before + 5, 'each refusal is in the audit trail');
  await queryDatabase(app, "UPDATE sessions SET created_at = created_at - interval '11 minutes'");
  t.ok(isProblem(await link(own), 403, 'REAUTHENTICATION_REQUIRED'));
});

t.test('an identity of a provider that is no longer configured is no sign-in method', async (t) => {
  const { body } = await app.signIn({ sub: 'two', email: 'two@example.org' });
  await queryDatabase(
    app,
    "INSERT INTO user_identities (id, user_id, issuer, subject, email) VALUES ($1, $2, 'https://old.example', 'x', 'two@example.org')",
    generateAbsentId(),
    body.user.id,
  );
  const { data } = (await list(body.accessToken)).body;
  const findId = (issuer: string) => data.find((one: { issuer: string }) => one.issuer === issuer).id;
  t.ok(isProblem(await unlink(body.accessToken, findId(app.provider.issuer)), 409, 'LAST_SIGN_IN_METHOD'));
  t.equal((await unlink(body.accessToken, findId('https://old.example'))).status, 200);
});

t.test('removing an identity requires a login within the last ten minutes', async (t) => {
  const { accessToken, email, id: userId } = await app.createUser();
  await app.signIn({ sub: 'earlier', email });
  const [{ id }] = (await list(accessToken)).body.data;
  await queryDatabase(
    app,
    "UPDATE sessions SET created_at = created_at - interval '11 minutes' WHERE user_id = $1",
    userId,
  );
  t.ok(isProblem(await unlink(accessToken, id), 403, 'REAUTHENTICATION_REQUIRED'));
  t.equal((await list(accessToken)).body.data.length, 1);
});

t.test('another user’s identity is 404 like a missing one, and is not changed', async (t) => {
  const owner = (await app.signIn({ sub: 'owner', email: 'owner@example.org' })).body;
  const [{ id }] = (await list(owner.accessToken)).body.data;
  const { accessToken } = await app.createUser();
  for (const which of [id, generateAbsentId(), 'x'])
    t.ok(isProblem(await unlink(accessToken, which), 404, 'NOT_FOUND'));
  t.equal((await list(owner.accessToken)).body.data.length, 1);
});

t.test('only one of ten parallel removals of an identity succeeds', async (t) => {
  const { accessToken, email } = await app.createUser();
  await app.signIn({ sub: 'parallel', email });
  const [{ id }] = (await list(accessToken)).body.data;
  t.same(countStatuses(await runConcurrently(10, () => unlink(accessToken, id))), { 200: 1, 404: 9 });
});
