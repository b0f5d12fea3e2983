import { generateAbsentId, startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  countStatuses,
  findAuditEntries,
  isProblem,
  listMailsCausedBy,
  listMailsTo,
  queryDatabase,
  runConcurrently,
} from './helper.ts';

const refreshUrl = '/api/auth/refresh-token';

t.test('20 parallel uses of a refresh token get the same successor, created once', async (t) => {
  const app = await startTestApp(t);
  const { refreshToken } = await app.createUser();
  const refresh = (token: string) => app.call('POST', refreshUrl, { body: { refreshToken: token } });
  const answers = await runConcurrently(20, () => refresh(refreshToken));
  t.same(countStatuses(answers), { 200: 20 });
  t.equal(new Set(answers.map(({ body }) => body.refreshToken)).size, 1);
  t.equal(await app.database.client.refreshToken.count(), 2, 'one new row');
  t.equal((await findAuditEntries(app, 'SESSION_REFRESHED')).length, 1);
  const { body, headers } = answers[0] ?? (await refresh(refreshToken));
  t.same(Object.keys(body), ['accessToken', 'refreshToken', 'tokenType', 'expiresIn']);
  t.equal(headers['cache-control'], 'no-store');
  t.not(body.refreshToken, refreshToken);
  for (const token of [refreshToken, body.refreshToken])
    t.match(token, /^[\w-]{71}$/, 'of them 256 random bits');
  t.equal((await app.call('GET', '/api/auth/me', { token: body.accessToken })).status, 200);
  t.equal((await refresh(body.refreshToken)).status, 200, 'the successor works next');
});

t.test('reuse after the grace period, or after use of the successor, ends the session family', async (t) => {
  for (const way of ['grace is over', 'successor was used']) {
    const app = await startTestApp(t);
    const { refreshToken, accessToken, email, id } = await app.createUser();
    const refresh = (token: string) => app.call('POST', refreshUrl, { body: { refreshToken: token } });
    const next = (await refresh(refreshToken)).body;
    if (way === 'grace is over') {
      await queryDatabase(app, "UPDATE refresh_tokens SET rotated_at = rotated_at - interval '31 seconds'");
    } else {
      t.equal((await refresh(next.refreshToken)).status, 200);
    }
    const mails = await listMailsCausedBy(app, email, async () => {
      const answers = await runConcurrently(10, () => refresh(refreshToken));
      t.ok(
        answers.every((answer) => isProblem(answer, 401, 'REFRESH_TOKEN_INVALID')),
        way,
      );
    });
    t.same(
      mails.map(({ subject }) => subject),
      ['We ended one of your sessions to protect your account'],
      'one mail',
    );
    t.match(await findAuditEntries(app, 'REFRESH_TOKEN_REUSED'), [{ severity: 'HIGH', outcome: 'DENIED' }]);
    t.equal((await findAuditEntries(app, 'REFRESH_TOKEN_REUSED')).length, 1);
    t.match(await queryDatabase(app, 'SELECT user_id, end_reason FROM sessions'), [
      { user_id: id, end_reason: 'REFRESH_REUSE' },
    ]);
    for (const token of [refreshToken, next.refreshToken]) t.equal((await refresh(token)).status, 401);
    for (const token of [accessToken, next.accessToken]) {
      t.equal((await app.call('GET', '/api/auth/me', { token })).status, 401);
    }
    const login = await app.call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD } });
    t.equal(login.status, 200, 'a new login works');
    await app.services.jobs.stop();
  }
});

t.test('within the grace period a repeated refresh gets the same successor', async (t) => {
  const app = await startTestApp(t);
  const { refreshToken } = await app.createUser();
  const refresh = () => app.call('POST', refreshUrl, { body: { refreshToken } });
  const first = await refresh();
  await queryDatabase(app, "UPDATE refresh_tokens SET rotated_at = rotated_at - interval '20 seconds'");
  t.equal((await refresh()).body.refreshToken, first.body.refreshToken);
});

t.test('a session ends 180 days after its login, however often it is refreshed', async (t) => {
  const app = await startTestApp(t);
  let { accessToken: token, refreshToken } = await app.createUser();
  const refresh = () => app.call('POST', refreshUrl, { body: { refreshToken } });
  const setAge = (days: number) =>
    queryDatabase(app, "UPDATE sessions SET created_at = now() - $1 * interval '1 day'", days);
  await setAge(170);
  ({ accessToken: token, refreshToken } = (await refresh()).body);
  const [row] = await queryDatabase(
    app,
    'SELECT round(extract(epoch FROM expires_at - created_at) / 86400)::int AS days FROM sessions',
  );
  t.equal(row.days, 180, 'a refresh extends the session only up to its end');
  t.equal((await app.call('GET', '/api/auth/me', { token })).status, 200);
  await setAge(180);
  t.equal((await app.call('GET', '/api/auth/me', { token })).status, 401);
  t.ok(isProblem(await refresh(), 401, 'REFRESH_TOKEN_INVALID'));
});

t.test('anything but a valid refresh token is 401', async (t) => {
  const app = await startTestApp(t);
  const { accessToken, refreshToken, deviceToken, id } = await app.createUser();
  const refresh = (token: string) => app.call('POST', refreshUrl, { body: { refreshToken: token } });
  for (const token of [
    accessToken,
    deviceToken,
    'x',
    'A'.repeat(43),
    `${refreshToken} `,
    refreshToken.toLowerCase(),
  ]) {
    t.ok(isProblem(await refresh(token), 401, 'REFRESH_TOKEN_INVALID'), token);
  }
  t.ok(isProblem(await app.call('GET', '/api/auth/me', { token: refreshToken }), 401, 'UNAUTHENTICATED'));
  await queryDatabase(app, "UPDATE users SET status = 'SUSPENDED' WHERE id = $1", id);
  t.equal((await refresh(refreshToken)).status, 401, 'the account is suspended');
  await queryDatabase(app, "UPDATE users SET status = 'ACTIVE' WHERE id = $1", id);
  await queryDatabase(app, "UPDATE refresh_tokens SET expires_at = now() - interval '1 second'");
  t.equal((await refresh(refreshToken)).status, 401, 'expired');
  t.same(await findAuditEntries(app, 'SESSION_REFRESHED', 'REFRESH_TOKEN_REUSED'), []);
});

t.test('a logout ends access and refresh immediately, and a second logout is 200 as well', async (t) => {
  const app = await startTestApp(t);
  const { accessToken: token, refreshToken, email } = await app.createUser();
  const other = (await app.call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD } }))
    .body;
  const logout = (token?: string) => app.call('POST', '/api/auth/logout', { token });
  t.ok(isProblem(await logout(), 401, 'UNAUTHENTICATED'));
  t.ok(isProblem(await logout('a.b.c'), 401, 'UNAUTHENTICATED'));
  const answers = await runConcurrently(5, () => logout(token));
  t.same(countStatuses(answers), { 200: 5 });
  const repeated = await logout(token);
  t.same(repeated.body, { done: true });
  t.equal(repeated.headers['clear-site-data'], '"cache"', 'the browser forgets the lists it keeps');
  t.equal((await app.call('GET', '/api/auth/me', { token })).status, 401);
  t.equal((await app.call('POST', refreshUrl, { body: { refreshToken } })).status, 401);
  t.equal((await findAuditEntries(app, 'LOGOUT')).length, 1);
  t.equal((await app.call('GET', '/api/auth/me', { token: other.accessToken })).status, 200);
});

t.test('users can list and end only their own sessions', async (t) => {
  const app = await startTestApp(t);
  const owner = await app.createUser();
  const stranger = await app.createUser();
  const second = (
    await app.call('POST', '/api/auth/login', { body: { email: owner.email, password: TEST_PASSWORD } })
  ).body;
  const list = await app.call('GET', '/api/auth/sessions?limit=1', { token: owner.accessToken });
  t.match(list.body, {
    data: [{ current: false, id: String }],
    pagination: { page: 1, limit: 1, total: 2, totalPages: 2 },
  });
  const { id } = list.body.data[0];
  const end = (token: string, which: string) => app.call('DELETE', `/api/auth/sessions/${which}`, { token });
  for (const which of [id, generateAbsentId(), 'x']) {
    t.ok(isProblem(await end(stranger.accessToken, which), 404, 'NOT_FOUND'), which);
  }
  t.equal((await findAuditEntries(app, 'ACCESS_DENIED')).length, 3);
  t.equal((await app.call('GET', '/api/auth/me', { token: second.accessToken })).status, 200);
  t.same((await end(owner.accessToken, id)).body, { id, deleted: true });
  t.equal((await app.call('GET', '/api/auth/me', { token: second.accessToken })).status, 401);
  t.equal((await end(owner.accessToken, id)).status, 404, 'it has ended');
  t.equal((await findAuditEntries(app, 'SESSION_REVOKED')).length, 1);
  t.equal((await app.call('GET', '/api/auth/sessions')).status, 401);
});

t.test('ending another session requires a login within the last ten minutes', async (t) => {
  const app = await startTestApp(t);
  const { accessToken, email } = await app.createUser();
  const other = (await app.call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD } }))
    .body;
  const { data } = (await app.call('GET', '/api/auth/sessions', { token: accessToken })).body;
  const findId = (current: boolean) => data.find((one: { current: boolean }) => one.current === current).id;
  const end = (id: string) => app.call('DELETE', `/api/auth/sessions/${id}`, { token: accessToken });
  await queryDatabase(app, "UPDATE sessions SET created_at = created_at - interval '11 minutes'");
  t.ok(isProblem(await end(findId(false)), 403, 'REAUTHENTICATION_REQUIRED'));
  t.match(await findAuditEntries(app, 'ACCESS_DENIED'), [{ outcome: 'DENIED' }]);
  t.equal((await app.call('GET', '/api/auth/me', { token: other.accessToken })).status, 200, 'unchanged');
  t.equal((await end(findId(true))).status, 200, 'the own session can be ended at any time');
});

t.test('a suspension, a lost role and an expired session apply from the next request', async (t) => {
  const app = await startTestApp(t);
  const { id, accessToken: token, email } = await app.createUser();
  const me = () => app.call('GET', '/api/auth/me', { token });
  await queryDatabase(app, "UPDATE users SET status = 'SUSPENDED' WHERE id = $1", id);
  t.ok(isProblem(await me(), 403, 'ACCOUNT_SUSPENDED'));
  t.match(await findAuditEntries(app, 'ACCESS_DENIED'), [{ outcome: 'DENIED', severity: 'MEDIUM' }]);
  await queryDatabase(app, "UPDATE users SET status = 'ACTIVE', role = 'ADMIN' WHERE id = $1", id);
  t.equal((await me()).body.user.role, 'ADMIN');
  await queryDatabase(app, "UPDATE users SET role = 'USER' WHERE id = $1", id);
  t.equal((await me()).body.user.role, 'USER');
  await queryDatabase(app, "UPDATE sessions SET expires_at = now() - interval '1 second'");
  t.equal((await me()).status, 401);
  await queryDatabase(app, "UPDATE users SET status = 'DELETED' WHERE id = $1", id);
  await queryDatabase(app, "UPDATE sessions SET expires_at = now() + interval '1 hour'");
  t.equal((await app.call('GET', '/api/auth/sessions', { token })).status, 401, 'the account was erased');
  t.equal(
    (await app.call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD } })).status,
    401,
  );
  t.equal((await listMailsTo(app, email)).length, 1);
});
