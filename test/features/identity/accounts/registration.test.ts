import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  countStatuses,
  findAuditEntries,
  isProblem,
  listMailsCausedBy,
  listMailsTo,
  queryDatabase,
  registerAndGetOtp,
  runConcurrently,
} from './helper.ts';

t.test('a user registers, confirms the code from the mail and creates a profile', async (t) => {
  const { call, getOtp } = await startTestApp(t);
  const email = 'Ada@Example.org';
  const registered = await call('POST', '/api/auth/register', { body: { email, password: TEST_PASSWORD } });
  t.equal(registered.status, 201, registered.text);
  t.match(registered.body, { email: 'ada@example.org', status: 'PENDING_VERIFICATION' });

  const otp = await getOtp('ada@example.org');
  t.match(otp, /^\d{6}$/);
  const verified = await call('POST', '/api/auth/verify-otp', { body: { email, otp } });
  t.equal(verified.status, 200, verified.text);
  t.match(verified.body, { tokenType: 'Bearer', expiresIn: 900, user: { status: 'VERIFIED', role: 'USER' } });
  const token = verified.body.accessToken;

  const me = await call('GET', '/api/auth/me', { token });
  t.match(me.body, { nextStep: 'CREATE_PROFILE', package: { code: 'FREE' }, limits: { qrCodes: 50 } });

  const profile = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    accountType: 'INDIVIDUAL',
    phone: '+44 20 7946 0000',
  };
  const created = await call('POST', '/api/auth/create-profile', { token, body: profile });
  t.equal(created.status, 201, created.text);
  t.match(created.body, { ...profile, status: 'ACTIVE', email: 'ada@example.org' });
  t.equal((await call('POST', '/api/auth/create-profile', { token, body: profile })).status, 409);

  const login = await call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD } });
  t.equal(login.status, 200, login.text);
  t.equal((await call('GET', `/api/auth/profile/${created.body.id}`, { token })).body.phone, profile.phone);
});

t.test(
  'registering a known address gets the same response, changes nothing and mails its owner',
  async (t) => {
    const app = await startTestApp(t);
    const { id, email } = await app.createUser();
    const rows = () => queryDatabase(app, 'SELECT * FROM users WHERE id = $1', id);
    const before = await rows();
    const body = { email, password: 'a password of somebody else' };
    let known: Awaited<ReturnType<typeof app.call>> | undefined;
    const mails = await listMailsCausedBy(app, email, async () => {
      known = await app.call('POST', '/api/auth/register', { body });
    });
    const unknown = await app.call('POST', '/api/auth/register', {
      body: { ...body, email: 'new@example.org' },
    });
    t.equal(known?.status, 201);
    t.equal(unknown.status, 201);
    t.same(Object.keys(known?.body), ['email', 'status', 'otpExpiresAt', 'resendAfterSeconds']);
    t.same(Object.keys(known?.body), Object.keys(unknown.body));
    t.same(Object.keys(known?.headers ?? {}).sort(), Object.keys(unknown.headers).sort());
    t.same(await rows(), before);
    t.same(
      mails.map(({ subject }) => subject),
      ['You already have an account'],
    );
    t.equal((await app.call('POST', '/api/auth/login', { body })).status, 401);
    t.equal((await findAuditEntries(app, 'USER_REGISTRATION_REPEATED')).length, 1);
  },
);

t.test('permissions in a registration are dropped and audited', async (t) => {
  const app = await startTestApp(t);
  const email = 'climber@example.org';
  const requested = {
    role: 'ADMIN',
    isVerified: true,
    permissions: ['admin:users'],
    subscription: 'GOLD',
    status: 'ACTIVE',
    _id: '0'.repeat(24),
  };
  const answer = await app.call('POST', '/api/auth/register', {
    body: { email, password: TEST_PASSWORD, ...requested },
  });
  t.equal(answer.status, 201);
  t.match(await queryDatabase(app, 'SELECT role, status FROM users'), [
    { role: 'USER', status: 'PENDING_VERIFICATION' },
  ]);
  const otp = await app.getOtp(email);
  const verified = await app.call('POST', '/api/auth/verify-otp', { body: { email, otp, role: 'ADMIN' } });
  t.match(verified.body.user, { role: 'USER', status: 'VERIFIED' });
  t.not(verified.body.user.id, requested._id);
  t.match(await findAuditEntries(app, 'USER_PRIVILEGE_REQUESTED'), [
    { severity: 'MEDIUM', outcome: 'DENIED' },
  ]);
  await app.call('POST', '/api/auth/register', {
    body: { email: 'two@example.org', password: TEST_PASSWORD, _id: requested._id },
  });
  t.equal((await findAuditEntries(app, 'USER_PRIVILEGE_REQUESTED')).length, 2);
});

t.test('20 parallel registrations of one address in all spellings create one user', async (t) => {
  const app = await startTestApp(t);
  const spellings = [
    'ada@bücher.example',
    'ADA@BÜCHER.example',
    'Ada@bu\u0308cher.example',
    'ada@xn--bcher-kva.example',
    ' ada@XN--bcher-KVA.Example ',
  ];
  const answers = await runConcurrently(20, (index) =>
    app.call('POST', '/api/auth/register', {
      body: { email: spellings[index % 5], password: `${TEST_PASSWORD} ${index}` },
    }),
  );
  t.same(countStatuses(answers), { 201: 20 });
  t.same(await queryDatabase(app, 'SELECT email FROM users'), [{ email: 'ada@xn--bcher-kva.example' }]);
  t.equal((await listMailsTo(app, 'ada@xn--bcher-kva.example')).length, 3, 'and three mails');
  t.equal(await app.database.client.pendingRegistration.count(), 5, 'the newest of the network');
});

t.test('addresses and names that could inject mail headers are rejected', async (t) => {
  const app = await startTestApp(t);
  const addresses = [
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org\n',
    '\ta@example.org',
    'a@b.example,c@d.example',
    'a@b.example;c@d.example',
    'a b@example.org',
    '"a b"@example.org',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@localhost',
    '@example.org',
    'a@',
    'plain',
    'a\u202e@example.org',
    '<a@example.org>',
    'Ada <a@example.org>',
    'a..b@example.org',
    '.a@example.org',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.org`,
    'a@exa\u0000mple.org',
    'a@\ud800.org',
    'ad\u0131@@example.org',
  ];
  for (const email of addresses) {
    const encodedEmail = encodeURI(email.toWellFormed());
    const answer = await app.call('POST', '/api/auth/register', { body: { email, password: TEST_PASSWORD } });
    t.equal(answer.status, 400, encodedEmail);
    t.match(answer.body, { code: 'VALIDATION_FAILED', errors: [{ field: 'email' }] }, encodedEmail);
  }
  for (const firstName of ['A\r\nBcc: b@example.org', 'A\u0000', 'A\u2028B', 'A\tB', ' ', 'x'.repeat(101)]) {
    const body = { email: 'a@example.org', password: TEST_PASSWORD, firstName };
    const answer = await app.call('POST', '/api/auth/register', { body });
    t.match(
      answer.body,
      { code: 'VALIDATION_FAILED', errors: [{ field: 'firstName' }] },
      encodeURI(firstName),
    );
  }
  t.same(await queryDatabase(app, 'SELECT id FROM users'), []);
  t.equal(await app.database.client.outgoingMail.count(), 0);
});

t.test(
  'short, common and very long passwords are rejected, and nothing is truncated at 72 bytes',
  async (t) => {
    const app = await startTestApp(t);
    for (const [password, code] of [
      ['short1!', 'TOO_SHORT'],
      ['password123', 'TOO_COMMON'],
      ['x'.repeat(1_025), 'TOO_LONG'],
      ['ü'.repeat(513), 'TOO_LONG'],
      ['five@example.org', 'SAME_AS_EMAIL'],
    ]) {
      const answer = await app.call('POST', '/api/auth/register', {
        body: { email: 'five@example.org', password },
      });
      t.ok(isProblem(answer, 400, 'VALIDATION_FAILED'));
      t.match(answer.body.errors, [{ field: 'password', code }]);
    }
    const password = `${'x'.repeat(72)}a`;
    const email = 'long@example.org';
    const otp = await registerAndGetOtp(app, email, password);
    await app.call('POST', '/api/auth/verify-otp', { body: { email, otp } });
    const other = { email, password: `${'x'.repeat(72)}b` };
    t.equal((await app.call('POST', '/api/auth/login', { body: other })).status, 401);
    t.equal((await app.call('POST', '/api/auth/login', { body: { email, password } })).status, 200);
    const [{ password_hash: stored }] = await queryDatabase(
      app,
      'SELECT password_hash FROM users WHERE email = $1',
      email,
    );
    t.match(stored, /^p1:\$2b\$/, 'the id of the pepper is stored with the hash');
  },
);

t.test('every field of the wrong type is named, and unknown keys are dropped', async (t) => {
  const { call } = await startTestApp(t);
  const fieldsOf = (answer: Awaited<ReturnType<typeof call>>) =>
    [...new Set(answer.body.errors.map(({ field }: { field: string }) => field))].sort();
  const wrong = {
    email: { not: '' },
    password: 12345678,
    firstName: [],
    lastName: null,
    accountType: 'KING',
    language: 7,
    timeZone: {},
    phone: 0,
  };
  const answer = await call('POST', '/api/auth/register', { body: wrong });
  t.ok(isProblem(answer, 400, 'VALIDATION_FAILED'));
  t.same(fieldsOf(answer), Object.keys(wrong).sort());
  t.match(answer.body, {
    type: '/api/docs/errors/VALIDATION_FAILED',
    title: String,
    detail: String,
    requestId: String,
  });
  for (const [url, body, fields] of [
    ['login', { email: ['a'], password: {} }, ['email', 'password']],
    ['verify-otp', { email: 'a@example.org', otp: 123456 }, ['otp']],
    ['verify-otp', { email: true, otp: '12345' }, ['email', 'otp']],
    ['resend-otp', {}, ['email']],
    ['refresh-token', { refreshToken: 1 }, ['refreshToken']],
    ['forgot-password', { email: 1 }, ['email']],
    ['reset-password', { token: [], password: null }, ['password', 'token']],
  ] as const) {
    const refused = await call('POST', `/api/auth/${url}`, { body });
    t.ok(isProblem(refused, 400, 'VALIDATION_FAILED'), url);
    t.same(fieldsOf(refused), fields, url);
  }
  const extra = { email: 'a@example.org', password: TEST_PASSWORD, wayward: { deep: 1 } };
  t.equal((await call('POST', '/api/auth/register', { body: extra })).status, 201);
});
