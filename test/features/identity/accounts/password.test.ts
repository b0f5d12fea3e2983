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
  requestResetToken,
  runConcurrently,
} from './helper.ts';

const forgot = '/api/auth/forgot-password';
const reset = '/api/auth/reset-password';
const NEW = 'a quite different password';

t.test(
  'forgot-password hides unknown addresses, mails three links an hour and ignores the Host header',
  async (t) => {
    const app = await startTestApp(t);
    const { email } = await app.createUser();
    await registerAndGetOtp(app, 'pending@example.org');
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const ask = (address: string) => app.call('POST', forgot, { body: { email: address }, headers });
    const answers = [];
    const mails = await listMailsCausedBy(app, email, async () => {
      for (let count = 0; count < 5; count++) answers.push(await ask(email));
    });
    for (const address of ['nobody@example.org', 'pending@example.org']) answers.push(await ask(address));
    t.same(countStatuses(answers), { 200: 7 });
    t.same(new Set(answers.map(({ text }) => text)), new Set(['{"done":true}']));
    t.equal(new Set(answers.map((answer) => Object.keys(answer.headers).sort().join())).size, 1);
    t.equal(mails.length, 3);
    for (const { text } of mails) {
      t.match(text, /^https:\/\/qr\.example\.org\/\S+#token=[\w-]{43}$/m);
      t.notMatch(text, 'evil');
    }
    t.same(await listMailsTo(app, 'nobody@example.org'), []);
    t.equal((await listMailsTo(app, 'pending@example.org')).length, 1, 'only the confirmation code');
    const outcomes = (await findAuditEntries(app, 'PASSWORD_RESET_REQUESTED')).map(({ outcome }) => outcome);
    t.same(outcomes, ['SUCCESS', 'SUCCESS', 'SUCCESS', 'DENIED', 'DENIED']);
    const rows = await queryDatabase(
      app,
      'SELECT length(token_hash) AS bytes, expires_at - created_at < $1 AS short FROM password_resets',
      '30 minutes 5 seconds',
    );
    t.same(rows, Array(3).fill({ bytes: 32, short: true }));
  },
);

t.test(
  'a reset token used 40 times in parallel replaces the password once and ends every session',
  async (t) => {
    const app = await startTestApp(t);
    const { email, accessToken, refreshToken } = await app.createUser();
    const second = (await app.call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD } }))
      .body;
    const token = await requestResetToken(app, email);
    t.match(token, /^[\w-]{43}$/);
    const passwords = Array.from({ length: 40 }, (_, index) => `${NEW} ${index}`);
    let answers: Awaited<ReturnType<typeof app.call>>[] = [];
    const mails = await listMailsCausedBy(app, email, async () => {
      answers = await runConcurrently(40, (index) =>
        app.call('POST', reset, { body: { token, password: passwords[index] } }),
      );
    });
    const counts = countStatuses(answers);
    t.equal(counts[200], 1, JSON.stringify(counts));
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      const busy = isProblem(answer, 503, 'BUSY') || isProblem(answer, 503, 'DATABASE_UNAVAILABLE');
      if (!busy && !isProblem(answer, 400, 'RESET_TOKEN_INVALID')) t.fail(answer.text);
    }
    t.same(
      mails.map(({ subject }) => subject),
      ['Your password was reset'],
    );
    t.equal((await findAuditEntries(app, 'PASSWORD_RESET')).length, 1);
    const winner = passwords[answers.findIndex(({ status }) => status === 200)];
    for (const dead of [accessToken, second.accessToken]) {
      t.equal((await app.call('GET', '/api/auth/me', { token: dead })).status, 401);
    }
    t.equal((await app.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })).status, 401);
    t.equal(
      (await app.call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD } })).status,
      401,
    );
    t.equal((await app.call('POST', '/api/auth/login', { body: { email, password: winner } })).status, 200);
    t.equal(
      JSON.parse(answers.find(({ status }) => status === 200)?.text ?? '').accessToken,
      undefined,
      'the reset is no login',
    );
  },
);

t.test('only one of two reset links of a user works when both are used in parallel', async (t) => {
  const app = await startTestApp(t);
  const { email } = await app.createUser();
  const tokens = [await requestResetToken(app, email), await requestResetToken(app, email)];
  t.not(tokens[0], tokens[1]);
  const answers = await runConcurrently(10, (index) =>
    app.call('POST', reset, { body: { token: tokens[index % 2], password: NEW } }),
  );
  t.same(countStatuses(answers), { 200: 1, 400: 9 });
});

t.test(
  'expired, used and unknown reset tokens do nothing; a weak password does not use up a token',
  async (t) => {
    const app = await startTestApp(t);
    const { email } = await app.createUser();
    const attempt = (token: string, password = NEW) => app.call('POST', reset, { body: { token, password } });
    for (const token of ['x', 'A'.repeat(43), 'A'.repeat(200)]) {
      t.ok(isProblem(await attempt(token), 400, 'RESET_TOKEN_INVALID'));
    }
    t.match(await findAuditEntries(app, 'PASSWORD_RESET_REJECTED'), { length: 3 });
    const token = await requestResetToken(app, email);
    const weak = await attempt(token, 'password123');
    t.match(weak.body, { code: 'VALIDATION_FAILED', errors: [{ field: 'password', code: 'TOO_COMMON' }] });
    t.match((await attempt(token, email)).body.errors, [{ code: 'SAME_AS_EMAIL' }]);
    await queryDatabase(app, "UPDATE password_resets SET expires_at = now() - interval '1 second'");
    t.ok(isProblem(await attempt(token), 400, 'RESET_TOKEN_INVALID'), 'expired');
    await queryDatabase(app, "UPDATE password_resets SET expires_at = now() + interval '1 minute'");
    t.equal((await attempt(token)).status, 200);
    t.ok(isProblem(await attempt(token), 400, 'RESET_TOKEN_INVALID'), 'used');
    t.equal((await app.call('POST', '/api/auth/login', { body: { email, password: NEW } })).status, 200);
  },
);

t.test('a password reset clears earlier failures', async (t) => {
  const app = await startTestApp(t);
  const { email } = await app.createUser();
  const login = (password: string) => app.call('POST', '/api/auth/login', { body: { email, password } });
  for (let count = 0; count < 10; count++) await login('wrong every time');
  await queryDatabase(app, "UPDATE login_delays SET next_allowed_at = next_allowed_at + interval '1 minute'");
  t.equal((await login(TEST_PASSWORD)).status, 429);
  await app.call('POST', reset, { body: { token: await requestResetToken(app, email), password: NEW } });
  t.equal((await login(NEW)).status, 200);
});

t.test('changing a password requires the current one and ends every other session', async (t) => {
  const app = await startTestApp(t);
  const { email, accessToken: token } = await app.createUser();
  const other = (await app.call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD } }))
    .body;
  const change = (body: object, accessToken: string | undefined = token) =>
    app.call('POST', '/api/auth/change-password', { token: accessToken, body });
  t.match((await change({})).body.errors.map(({ field }: { field: string }) => field).sort(), [
    'currentPassword',
    'newPassword',
  ]);
  t.ok(
    isProblem(await change({ currentPassword: 'wrong one', newPassword: NEW }), 401, 'CREDENTIALS_INVALID'),
  );
  t.match(await findAuditEntries(app, 'PASSWORD_CHANGE_REJECTED'), [{ outcome: 'DENIED' }]);
  const weak = await change({ currentPassword: TEST_PASSWORD, newPassword: 'short' });
  t.match(weak.body.errors, [{ field: 'newPassword', code: 'TOO_SHORT' }]);
  const mails = await listMailsCausedBy(app, email, async () => {
    t.equal((await change({ currentPassword: TEST_PASSWORD, newPassword: NEW })).status, 200);
  });
  t.same(
    mails.map(({ subject }) => subject),
    ['Your password was changed'],
  );
  t.equal((await app.call('GET', '/api/auth/me', { token })).status, 200, 'this session stays');
  t.equal((await app.call('GET', '/api/auth/me', { token: other.accessToken })).status, 401);
  t.match(await findAuditEntries(app, 'PASSWORD_CHANGED'), [{ changes: ['password'], severity: 'HIGH' }]);
  for (let count = 0; count < 9; count++) await change({ currentPassword: 'wrong one', newPassword: NEW });
  await change({ currentPassword: 'wrong one', newPassword: NEW });
  await queryDatabase(app, "UPDATE login_delays SET next_allowed_at = next_allowed_at + interval '1 minute'");
  t.ok(isProblem(await change({ currentPassword: NEW, newPassword: TEST_PASSWORD }), 429, 'RATE_LIMITED'));
});
