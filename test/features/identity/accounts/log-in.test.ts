import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { freezeRateWindow } from '../../../rate-window.ts';
import { t } from '../../../tap.ts';
import {
  countStatuses,
  findAuditEntries,
  isProblem,
  queryDatabase,
  registerAndGetOtp,
  runConcurrently,
} from './helper.ts';

const login = '/api/auth/login';
const WRONG = 'not the password at all';

t.test(
  'unknown address, wrong password, missing password and unverified address give the same 401',
  async (t) => {
    const app = await startTestApp(t);
    const { email } = await app.createUser();
    const { email: google } = await app.createUser();
    await queryDatabase(app, 'UPDATE users SET password_hash = NULL WHERE email = $1', google);
    await registerAndGetOtp(app, 'pending@example.org');
    const addresses = [email, google, 'pending@example.org', 'nobody@example.org', 'no address'];
    const bodies = new Set<string>();
    for (const address of addresses) {
      const answer = await app.call('POST', login, { body: { email: address, password: WRONG } });
      t.ok(isProblem(answer, 401, 'CREDENTIALS_INVALID'), address);
      bodies.add(JSON.stringify([{ ...answer.body, requestId: '' }, Object.keys(answer.headers).sort()]));
    }
    t.equal(bodies.size, 1, 'body and headers are the same');
    t.equal((await findAuditEntries(app, 'LOGIN_FAILED')).length, addresses.length);
  },
);

t.test('registering an address and logging in does not tell whether it has an account', async (t) => {
  const app = await startTestApp(t);
  const { email: member } = await app.createUser();
  const password = 'the password of somebody curious';
  const answersByEmail = new Map<string, string[]>();
  for (const email of [member, 'free@example.org']) {
    await app.call('POST', '/api/auth/register', { body: { email, password } });
    const answers: string[] = [];
    for (let count = 0; count < 9; count++) {
      const { status, body, headers } = await app.call('POST', login, { body: { email, password } });
      const { 'x-request-id': _id, date: _date, ratelimit: _left, ...rest } = headers;
      delete rest['x-ratelimit-remaining'];
      delete rest['x-ratelimit-reset'];
      answers.push(JSON.stringify([status, { ...body, requestId: '' }, rest]));
    }
    answersByEmail.set(email, answers);
  }
  t.match(answersByEmail.get(member)?.[0], /^\[401,.*CREDENTIALS_INVALID/);
  t.same(
    answersByEmail.get('free@example.org'),
    answersByEmail.get(member),
    'answers and limits are the same',
  );
});

t.test('logins before the code is entered do not delay the first one after it', async (t) => {
  const app = await startTestApp(t);
  const body = { email: 'pending@example.org', password: TEST_PASSWORD };
  const otp = await registerAndGetOtp(app, body.email);
  for (let count = 0; count < 12; count++) await app.call('POST', login, { body });
  await app.call('POST', '/api/auth/verify-otp', { body: { email: body.email, otp } });
  t.equal((await app.call('POST', login, { body })).status, 200);
});

t.test('the right password of a suspended account gets its own error and no delay', async (t) => {
  const app = await startTestApp(t);
  const { email } = await app.createUser();
  await queryDatabase(app, "UPDATE users SET status = 'SUSPENDED' WHERE email = $1", email);
  for (let count = 0; count < 12; count++) {
    const suspended = { email, password: TEST_PASSWORD };
    t.ok(isProblem(await app.call('POST', login, { body: suspended }), 403, 'ACCOUNT_SUSPENDED'));
  }
  t.match(await findAuditEntries(app, 'LOGIN_FAILED'), { length: 12 });
});

t.test('a login stores the whole IP address and 512 characters of the user agent', async (t) => {
  const app = await startTestApp(t);
  const { email } = await app.createUser();
  const answer = await app.call('POST', login, {
    body: { email, password: TEST_PASSWORD },
    headers: { 'user-agent': `<script>${'x'.repeat(600)}` },
    remoteAddress: '203.0.113.77',
  });
  t.equal(answer.status, 200);
  t.same(Object.keys(answer.body).sort(), [
    'accessToken',
    'deviceToken',
    'expiresIn',
    'refreshToken',
    'tokenType',
    'user',
  ]);
  t.equal(answer.headers['cache-control'], 'no-store');
  const { data } = (await app.call('GET', '/api/auth/sessions', { token: answer.body.accessToken })).body;
  t.match(data, [{ ip: '203.0.113.77', current: true }, { current: false }]);
  t.equal(data[0].userAgent.length, 512);
  const [entry] = await findAuditEntries(app, 'LOGIN_SUCCEEDED');
  t.match(await queryDatabase(app, 'SELECT ip FROM audit_origins WHERE entry_id = $1', entry?.id), [
    { ip: '203.0.113.77' },
  ]);
  t.equal(await app.database.client.notification.count(), 1, 'the user is notified');
});

t.test(
  'from the tenth failure on, logins are delayed increasingly; a success resets the delay',
  async (t) => {
    const app = await startTestApp(t);
    const { email } = await app.createUser();
    const fail = () => app.call('POST', login, { body: { email, password: WRONG } });
    const succeed = () => app.call('POST', login, { body: { email, password: TEST_PASSWORD } });
    const skipWait = () => queryDatabase(app, 'UPDATE login_delays SET next_allowed_at = now()');
    for (let count = 0; count < 10; count++) t.equal((await fail()).status, 401);
    await queryDatabase(
      app,
      "UPDATE login_delays SET next_allowed_at = next_allowed_at + interval '1 minute'",
    );
    t.ok(isProblem(await fail(), 429, 'RATE_LIMITED'));
    t.ok(isProblem(await succeed(), 429, 'RATE_LIMITED'), 'whatever the password');
    t.equal((await findAuditEntries(app, 'LOGIN_FAILED')).length, 10, 'nothing was compared');

    const waits: number[] = [];
    for (let count = 0; count < 12; count++) {
      await skipWait();
      t.equal((await fail()).status, 401);
      waits.push(Number((await fail()).headers['retry-after'] ?? 0));
    }
    t.same(
      waits.slice(1),
      [4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900],
      'doubled up to a quarter of an hour',
    );
    await skipWait();
    t.equal((await succeed()).status, 200);
    for (let count = 0; count < 9; count++) t.equal((await fail()).status, 401);
    t.equal((await succeed()).status, 200, 'earlier failures no longer count');
  },
);

t.test('about ten of 100 parallel guesses at one account are compared', async (t) => {
  const app = await startTestApp(t);
  const { email } = await app.createUser();
  const answers = await runConcurrently(100, () =>
    app.call('POST', login, { body: { email, password: WRONG } }),
  );
  const counts = countStatuses(answers);
  const compared = (await findAuditEntries(app, 'LOGIN_FAILED')).length;
  t.equal(compared, counts[401]);
  t.ok(compared >= 5 && compared <= 13, `${compared} compared`);
  t.ok(
    answers.every(
      (answer) => answer.status === 401 || isProblem(answer, 429, 'RATE_LIMITED') || answer.status === 503,
    ),
  );
});

t.test('a known device has a separate login limit, but only with a genuine device token', async (t) => {
  const app = await startTestApp(t);
  const { email, deviceToken } = await app.createUser();
  const { deviceToken: foreign } = await app.createUser();
  for (let count = 0; count < 10; count++)
    await app.call('POST', login, { body: { email, password: WRONG } });
  await queryDatabase(app, "UPDATE login_delays SET next_allowed_at = next_allowed_at + interval '1 minute'");
  const attempt = (token: string, password = TEST_PASSWORD) =>
    app.call('POST', login, { body: { email, password, deviceToken: token } });
  for (const forged of [foreign, 'x.y', 'xyz', `${deviceToken}x`, `.${deviceToken.split('.')[1]}`]) {
    t.ok(isProblem(await attempt(forged), 429, 'RATE_LIMITED'), forged);
  }
  t.equal((await attempt(deviceToken)).status, 200, 'the attacker did not lock the owner out');
  for (let count = 0; count < 10; count++) t.equal((await attempt(deviceToken, WRONG)).status, 401);
  await queryDatabase(app, "UPDATE login_delays SET next_allowed_at = next_allowed_at + interval '1 minute'");
  t.ok(
    isProblem(await attempt(deviceToken), 429, 'RATE_LIMITED'),
    'a stolen device token gives ten guesses, too',
  );
});

t.test('invalid email addresses do not delay each other', async (t) => {
  const app = await startTestApp(t);
  for (let count = 0; count < 15; count++) {
    const body = { email: `no address ${count}`, password: WRONG };
    t.equal((await app.call('POST', login, { body })).status, 401);
  }
});

t.test('one client can try 20 logins a minute across all accounts', async (t) => {
  const app = await startTestApp(t, { RATE_LIMIT_SCALE: '1' });
  const attempt = (index: number) =>
    app.call('POST', login, {
      body: { email: `u${index}@example.org`, password: WRONG },
      remoteAddress: '192.0.2.9',
    });
  freezeRateWindow(t);
  for (let index = 0; index < 20; index++) t.equal((await attempt(index)).status, 401);
  t.ok(isProblem(await attempt(20), 429, 'RATE_LIMITED'));
});

t.test('of 300 parallel logins, those beyond the capacity are rejected with Retry-After', async (t) => {
  const app = await startTestApp(t, { BCRYPT_COST: '10' });
  const { email } = await app.createUser();
  const flood = runConcurrently(300, (index) =>
    app.call('POST', login, {
      body: { email: index % 3 ? `u${index}@example.org` : email, password: TEST_PASSWORD },
    }),
  );
  t.equal((await app.call('GET', '/')).status, 200);
  const answers = await flood;
  const surplus = answers.filter(({ status }) => status !== 200 && status !== 401);
  t.ok(surplus.length > 0, JSON.stringify(countStatuses(answers)));
  for (const answer of surplus) {
    const busy = isProblem(answer, 503, 'BUSY') || isProblem(answer, 503, 'DATABASE_UNAVAILABLE');
    if (!busy && !isProblem(answer, 429, 'RATE_LIMITED')) t.fail(answer.text);
  }
  await queryDatabase(app, 'DELETE FROM login_delays');
  t.equal(
    (await app.call('POST', login, { body: { email, password: TEST_PASSWORD } })).status,
    200,
    'the service recovers',
  );
});
