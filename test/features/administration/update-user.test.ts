import { generateAbsentId, startTestApp, TEST_PASSWORD, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';

async function administrator(test: TestApp, email = 'root@example.org') {
  const testUser = await test.createUser({ email, role: 'ADMIN' });
  return { ...testUser, token: testUser.accessToken };
}

const actions = async (test: TestApp, work: () => Promise<unknown>) =>
  (await captureAuditEntries(test, work)).map(({ action, severity }) => `${action} ${severity}`);

t.test('a changed role applies from the next request, and the user is notified', async (t) => {
  const test = await startTestApp(t);
  const { call } = test;
  const root = await administrator(test);
  const ada = await test.createUser();
  const change = (body: object) => call('PATCH', `/api/admin/users/${ada.id}`, { token: root.token, body });
  const trail = await actions(test, async () => {
    const answer = await change({ role: 'ADMIN' });
    t.equal(answer.status, 200, answer.text);
    t.match(answer.body, { id: ada.id, role: 'ADMIN', status: 'ACTIVE' });
    t.equal((await change({ role: 'ADMIN' })).status, 200, 'the same role again changes nothing');
  });
  t.same(trail, ['ROLE_CHANGED CRITICAL']);
  const logIn = async () => {
    const body = { email: ada.email, password: TEST_PASSWORD };
    return (await call('POST', '/api/auth/login', { body })).body;
  };
  const promoted = await logIn();
  t.equal((await call('GET', '/api/admin/users', { token: promoted.accessToken })).status, 200);
  await change({ role: 'AUDITOR' });
  for (const { accessToken: token, refreshToken } of [ada, promoted]) {
    t.equal((await call('GET', '/api/auth/me', { token })).status, 401, 'sessions end with the role');
    t.equal((await call('POST', '/api/auth/refresh-token', { body: { refreshToken } })).status, 401);
  }
  const { accessToken: token } = await logIn();
  t.equal((await call('GET', '/api/admin/users', { token })).status, 403, 'demoted');
  t.equal((await call('GET', '/api/admin/break-glass', { token })).status, 200);
  const { body } = await call('GET', '/api/notifications', { token });
  const notified = body.data.filter(({ event }: { event: string }) => event === 'role.changed');
  t.equal(notified.length, 2);
  t.match(notified[0].body, /auditor/);
});

t.test(
  'a suspension applies from the next request, and restoring brings back the previous status',
  async (t) => {
    const test = await startTestApp(t);
    const { call } = test;
    const root = await administrator(test);
    for (const profile of [true, false]) {
      const ada = await test.createUser({ profile });
      const change = (body: object) =>
        call('PATCH', `/api/admin/users/${ada.id}`, { token: root.token, body });
      const trail = await actions(test, async () => {
        t.equal((await change({ status: 'SUSPENDED' })).body.status, 'SUSPENDED');
        t.equal((await change({ status: 'SUSPENDED' })).status, 200);
      });
      t.same(trail, ['USER_SUSPENDED HIGH']);
      t.equal((await call('GET', '/api/auth/me', { token: ada.accessToken })).status, 401);
      const refresh = { body: { refreshToken: ada.refreshToken } };
      t.equal((await call('POST', '/api/auth/refresh-token', refresh)).status, 401);
      const login = () =>
        call('POST', '/api/auth/login', { body: { email: ada.email, password: TEST_PASSWORD } });
      t.match((await login()).body, { status: 403, code: 'ACCOUNT_SUSPENDED' });
      t.same(await actions(test, () => change({ status: 'ACTIVE' })), ['USER_RESTORED HIGH']);
      const back = await login();
      t.equal(back.status, 200, back.text);
      t.equal(back.body.user.status, profile ? 'ACTIVE' : 'VERIFIED');
      t.equal(
        (await call('GET', '/api/auth/me', { token: ada.accessToken })).status,
        401,
        'old sessions stay ended',
      );
    }
  },
);

t.test('sessions that an administrator ends are invalid immediately', async (t) => {
  const test = await startTestApp(t);
  const { call } = test;
  const root = await administrator(test);
  const ada = await test.createUser();
  const trail = await actions(test, async () => {
    const answer = await call('DELETE', `/api/admin/users/${ada.id}/sessions`, { token: root.token });
    t.same(answer.body, { id: ada.id, deleted: true });
  });
  t.same(trail, ['USER_SESSIONS_ENDED HIGH']);
  t.equal((await call('GET', '/api/auth/me', { token: ada.accessToken })).status, 401);
  t.equal(
    (await call('GET', '/api/auth/me', { token: root.token })).status,
    200,
    'other users keep their sessions',
  );
});

t.test('the last administrator cannot be demoted or suspended, also by parallel requests', async (t) => {
  const test = await startTestApp(t);
  const { call, database } = test;
  const root = await administrator(test);
  const trail = await actions(test, async () => {
    for (const body of [{ role: 'USER' }, { status: 'SUSPENDED' }, { role: 'SUPPORT', status: 'ACTIVE' }]) {
      const answer = await call('PATCH', `/api/admin/users/${root.id}`, { token: root.token, body });
      t.equal(answer.status, 409, answer.text);
      t.equal(answer.body.code, 'LAST_ADMINISTRATOR');
    }
  });
  t.same(trail, Array(3).fill('LAST_ADMINISTRATOR_PROTECTED HIGH'));
  const second = await administrator(test, 'second@example.org');
  const third = await administrator(test, 'third@example.org');
  const all = [root, second, third];
  await Promise.all(
    all.flatMap((one) =>
      all.map((other) =>
        call('PATCH', `/api/admin/users/${other.id}`, { token: one.token, body: { status: 'SUSPENDED' } }),
      ),
    ),
  );
  t.equal(await database.client.user.count({ where: { role: 'ADMIN', status: 'ACTIVE' } }), 1);
});

t.test('an unverified user can get a new OTP within the limit of the address, but no role', async (t) => {
  const test = await startTestApp(t);
  const { call, database } = test;
  const root = await administrator(test);
  const email = 'waits@example.org';
  await call('POST', '/api/auth/register', { body: { email, password: TEST_PASSWORD } });
  const first = await test.getOtp(email);
  const { id } = await database.client.user.findUniqueOrThrow({ where: { email } });
  const resend = () => call('POST', `/api/admin/users/${id}/resend-activation`, { token: root.token });
  const trail = await actions(test, async () => t.same((await resend()).body, { done: true }));
  t.same(trail, ['ACTIVATION_RESENT MEDIUM']);
  const second = await test.getOtp(email);
  t.not(second, first);
  const role = { token: root.token, body: { role: 'ADMIN' } };
  t.equal((await call('PATCH', `/api/admin/users/${id}`, role)).body.code, 'USER_NOT_VERIFIED');
  t.equal((await resend()).status, 200);
  const tooMany = await resend();
  t.equal(tooMany.status, 429);
  t.ok(Number(tooMany.headers['retry-after']) > 0);
  const otp = await test.getOtp(email);
  t.equal((await call('POST', '/api/auth/verify-otp', { body: { email, otp } })).status, 200);
  await database.client.attemptBudget.deleteMany();
  t.equal((await resend()).body.code, 'EMAIL_ALREADY_VERIFIED');
});

t.test(
  'enterprise mode applies to an account from its next request, and its owner gets a mail',
  async (t) => {
    const test = await startTestApp(t);
    const { call, getMailBySubject } = test;
    const root = await administrator(test);
    const ada = await test.createUser();
    const change = (enterpriseMode: boolean) =>
      call('PATCH', `/api/admin/users/${ada.id}`, { token: root.token, body: { enterpriseMode } });
    const trail = await actions(test, async () => {
      t.equal((await change(true)).body.enterpriseMode, true);
      t.equal((await change(true)).status, 200);
    });
    t.same(trail, ['ENTERPRISE_MODE_ENABLED HIGH']);
    const requested = await call('GET', '/api/qrcodes', { token: ada.accessToken });
    t.equal(requested.body.code, 'MFA_ENROLLMENT_REQUIRED');
    t.ok(await getMailBySubject(ada.email, /Enterprise mode/));
    t.same(await actions(test, () => change(false)), ['ENTERPRISE_MODE_DISABLED CRITICAL']);
    t.equal((await call('GET', '/api/qrcodes', { token: ada.accessToken })).status, 200);
  },
);

t.test('invalid changes are 400 and unknown users 404', async (t) => {
  const test = await startTestApp(t);
  const { call } = test;
  const root = await administrator(test);
  const ada = await test.createUser();
  for (const body of [
    {},
    { role: 'ROOT' },
    { role: null },
    { status: 'DELETED' },
    { status: 'VERIFIED' },
    { other: 1 },
  ]) {
    const answer = await call('PATCH', `/api/admin/users/${ada.id}`, { token: root.token, body });
    t.equal(answer.status, 400, JSON.stringify(body));
  }
  for (const [method, path] of [
    ['PATCH', ''],
    ['DELETE', '/sessions'],
    ['POST', '/resend-activation'],
  ] as const) {
    const url = `/api/admin/users/${generateAbsentId()}${path}`;
    const body = method === 'PATCH' ? { body: { role: 'USER' } } : {};
    t.equal((await call(method, url, { token: root.token, ...body })).status, 404, url);
  }
});
