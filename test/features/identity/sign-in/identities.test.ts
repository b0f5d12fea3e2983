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
import { exchangeCode, startSignInApp } from './helper.ts';

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
  t.equal((await app.signIn({ sub: 'only', email })).status, 200, 'signing in links it again');
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
