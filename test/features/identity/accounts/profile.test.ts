import { generateAbsentId, startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  countStatuses,
  findAuditEntries,
  isProblem,
  queryDatabase,
  runConcurrently,
  TEST_PROFILE,
} from './helper.ts';

const create = '/api/auth/create-profile';

t.test('a profile is created once, with the user’s own token, and ids in the body are ignored', async (t) => {
  const app = await startTestApp(t);
  const victim = await app.createUser();
  const { accessToken: token, id, email } = await app.createUser({ profile: false });
  for (const credential of [undefined, 'a.b.c', `${token}x`]) {
    t.ok(
      isProblem(
        await app.call('POST', create, { token: credential, body: TEST_PROFILE }),
        401,
        'UNAUTHENTICATED',
      ),
    );
  }
  const body = {
    ...TEST_PROFILE,
    id: victim.id,
    userId: victim.id,
    email: victim.email,
    role: 'ADMIN',
    status: 'SUSPENDED',
  };
  const answers = await runConcurrently(10, () => app.call('POST', create, { token, body }));
  t.same(countStatuses(answers), { 201: 1, 409: 9 });
  t.ok(answers.every((answer) => answer.status === 201 || isProblem(answer, 409, 'PROFILE_EXISTS')));
  const created = answers.find(({ status }) => status === 201);
  t.equal(created?.headers.location, `/api/auth/profile/${id}`);
  t.match(created?.body, { ...TEST_PROFILE, id, email, role: 'USER', status: 'ACTIVE', version: 2 });
  t.same(Object.keys(created?.body).sort(), [
    ...['accountType', 'createdAt', 'email', 'firstName', 'id', 'language', 'lastName'],
    ...['organizationId', 'organizationName'],
    ...[
      'permissions',
      'phone',
      'profilePictureUrl',
      'role',
      'status',
      'timeZone',
      'updatedAt',
      'version',
      'warnings',
    ],
  ]);
  t.match(await queryDatabase(app, 'SELECT email, role, status FROM users WHERE id = $1', victim.id), [
    { email: victim.email, role: 'USER', status: 'ACTIVE' },
  ]);
  t.match(await findAuditEntries(app, 'PROFILE_CREATED'), [{}, { changes: Object.keys(TEST_PROFILE) }]);
  t.equal((await findAuditEntries(app, 'PROFILE_CREATED')).length, 2);
});

t.test('every missing or invalid field of a profile is named', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken: token } = await createUser({ profile: false });
  const fields = async (body: object) => {
    const answer = await call('POST', create, { token, body });
    t.ok(isProblem(answer, 400, 'VALIDATION_FAILED'), answer.text);
    return [...new Set(answer.body.errors.map(({ field }: { field: string }) => field))].sort();
  };
  t.same(await fields({}), ['firstName', 'lastName']);
  t.same(await fields({ ...TEST_PROFILE, accountType: 'ORGANIZATION' }), ['organizationName']);
  t.same(
    await fields({
      ...TEST_PROFILE,
      firstName: 1,
      phone: 'call me',
      language: 'not a language',
      timeZone: 'a b',
    }),
    ['firstName', 'language', 'phone', 'timeZone'],
  );
  t.same(await fields({ ...TEST_PROFILE, timeZone: 'Middle/Earth' }), ['timeZone']);
  t.equal((await call('GET', '/api/auth/me', { token })).body.nextStep, 'CREATE_PROFILE');
});

t.test('profile fields sent at registration need not be sent again', async (t) => {
  const app = await startTestApp(t);
  const email = 'early@example.org';
  const phone = '+44 20 7946 0321';
  await app.call('POST', '/api/auth/register', {
    body: { email, password: 'correct horse battery', ...TEST_PROFILE, phone },
  });
  const [pending] = await queryDatabase(app, 'SELECT profile FROM pending_registrations');
  t.notMatch(pending.profile.toString('latin1'), 'Lovelace', 'stored encrypted until then');
  const otp = await app.getOtp(email);
  const { accessToken: token } = (await app.call('POST', '/api/auth/verify-otp', { body: { email, otp } }))
    .body;
  const created = await app.call('POST', create, { token, body: {} });
  t.equal(created.status, 201, created.text);
  t.match(created.body, { ...TEST_PROFILE, phone });
});

t.test(
  'a foreign and a missing profile give the same 404, and administrators read any profile',
  async (t) => {
    const app = await startTestApp(t);
    const admin = await app.createUser();
    const other = await app.createUser();
    const { accessToken: token } = await app.createUser();
    await queryDatabase(app, "UPDATE users SET role = 'ADMIN' WHERE id = $1", admin.id);
    const bodies = new Set<string>();
    const ids = [admin.id, other.id, generateAbsentId(), '0'.repeat(24)];
    for (const id of ids) {
      for (const method of ['GET', 'PUT', 'PATCH']) {
        const answer = await app.call(method, `/api/auth/profile/${id}`, {
          token,
          ...(method === 'GET' ? {} : { body: { firstName: 'Eve' } }),
        });
        t.ok(isProblem(answer, 404, 'NOT_FOUND'), `${method} ${id}`);
        bodies.add(JSON.stringify({ ...answer.body, requestId: '' }));
      }
    }
    t.equal(bodies.size, 1);
    t.equal((await findAuditEntries(app, 'ACCESS_DENIED')).length, ids.length * 3);
    for (const id of ['x', 'F'.repeat(24), '0'.repeat(23), `${'0'.repeat(24)}1`, '..%2f..%2fetc', "1'--"]) {
      t.equal((await app.call('GET', `/api/auth/profile/${id}`, { token })).status, 404, id);
    }
    t.same(await findAuditEntries(app, 'PROFILE_UPDATED', 'PROFILE_READ'), []);

    const read = await app.call('GET', `/api/auth/profile/${other.id}`, { token: admin.accessToken });
    t.equal(read.status, 200);
    t.equal(read.body.id, other.id);
    t.equal((await findAuditEntries(app, 'PROFILE_READ')).length, 1);
    const text = JSON.stringify(read.body);
    for (const secret of ['$2b$', 'p1:', 'assword', 'oken', 'hash', 'pin']) t.notMatch(text, secret);
    t.equal(
      (await app.call('GET', `/api/auth/profile/${generateAbsentId()}`, { token: admin.accessToken })).status,
      404,
    );
    t.equal(
      (await app.call('PUT', `/api/auth/profile/${other.id}`, { token: admin.accessToken, body: {} })).status,
      404,
    );
  },
);

t.test(
  'a profile change merges fields and checks the version; null clears; each change is one audit entry',
  async (t) => {
    const app = await startTestApp(t);
    const { accessToken: token, id } = await app.createUser();
    const put = (body: object, headers: Record<string, string> = {}, method = 'PUT') =>
      app.call(method, `/api/auth/profile/${id}`, { token, body, headers });
    const read = await app.call('GET', `/api/auth/profile/${id}`, { token });
    t.equal(read.headers.etag, `"${read.body.version}"`);
    t.equal(read.headers['cache-control'], 'no-store');
    const first = await put(
      { phone: '+44 20 7946 0123', organizationName: 'Analytical' },
      { 'if-match': String(read.headers.etag) },
    );
    t.match(first.body, {
      firstName: 'Ada',
      phone: '+44 20 7946 0123',
      organizationName: 'Analytical',
      version: read.body.version + 1,
    });
    t.ok(
      isProblem(
        await put({ firstName: 'Eve' }, { 'if-match': String(read.headers.etag) }),
        412,
        'PRECONDITION_FAILED',
      ),
    );
    const cleared = await put({ phone: null, organizationName: null }, {}, 'PATCH');
    t.match(cleared.body, { phone: null, organizationName: null, firstName: 'Ada' });
    t.same((await put({ firstName: null })).status, 400);
    t.same((await put({ firstName: 'Zoe\u0308' })).body.firstName, 'Zoë', 'stored in composed form');
    t.match(await findAuditEntries(app, 'PROFILE_UPDATED'), [
      { changes: ['phone', 'organizationName'] },
      { changes: ['phone', 'organizationName'] },
      { changes: ['firstName'] },
    ]);

    const before = (await app.call('GET', `/api/auth/profile/${id}`, { token })).body.version;
    const answers = await runConcurrently(10, (index) => put({ lastName: `L${index}` }));
    t.ok(
      answers.every((answer) => answer.status === 200 || isProblem(answer, 409, 'CONFLICT')),
      'never lost, never 5xx',
    );
    const after = (await app.call('GET', `/api/auth/profile/${id}`, { token })).body.version;
    t.equal(after - before, countStatuses(answers)[200]);
  },
);

t.test('changing a profile before it exists is 403', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken: token, id } = await createUser({ profile: false });
  t.ok(
    isProblem(
      await call('PUT', `/api/auth/profile/${id}`, { token, body: TEST_PROFILE }),
      403,
      'PROFILE_REQUIRED',
    ),
  );
});
