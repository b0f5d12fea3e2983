import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { freezeRateWindow } from '../../../rate-window.ts';
import { t } from '../../../tap.ts';
import {
  countStatuses,
  createDifferentOtp,
  findAuditEntries,
  isProblem,
  listMailsCausedBy,
  listMailsTo,
  queryDatabase,
  registerAndGetOtp,
  resendAndGetOtp,
  runConcurrently,
} from './helper.ts';

const verify = '/api/auth/verify-otp';

t.test('the right OTP sent 50 times in parallel creates one session and cannot be used again', async (t) => {
  const app = await startTestApp(t);
  const email = 'ada@example.org';
  const otp = await registerAndGetOtp(app, email);
  const answers = await runConcurrently(50, () => app.call('POST', verify, { body: { email, otp } }));
  const counts = countStatuses(answers);
  t.equal(counts[200], 1, JSON.stringify(counts));
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    t.ok(isProblem(answer, 400, 'OTP_INVALID') || isProblem(answer, 429, 'RATE_LIMITED'), answer.text);
  }
  t.equal(await app.database.client.session.count(), 1);
  t.equal(await app.database.client.refreshToken.count(), 1);
  t.equal((await findAuditEntries(app, 'EMAIL_VERIFIED')).length, 1);
  await queryDatabase(app, 'DELETE FROM attempt_budgets');
  t.ok(
    isProblem(await app.call('POST', verify, { body: { email, otp } }), 400, 'OTP_INVALID'),
    'a replay is refused',
  );
});

t.test(
  'five of 50 parallel wrong OTPs are compared, for known and unknown addresses; the others are 429',
  async (t) => {
    const app = await startTestApp(t);
    const email = 'ada@example.org';
    const otp = await registerAndGetOtp(app, email);
    const known = await runConcurrently(50, () =>
      app.call('POST', verify, { body: { email, otp: createDifferentOtp(otp) } }),
    );
    t.same(countStatuses(known), { 400: 5, 429: 45 });
    t.ok(
      known.every(
        (answer) => isProblem(answer, 400, 'OTP_INVALID') || isProblem(answer, 429, 'RATE_LIMITED'),
      ),
    );
    t.same(await queryDatabase(app, 'SELECT attempts FROM pending_registrations'), [{ attempts: 5 }]);
    t.equal((await findAuditEntries(app, 'OTP_REJECTED')).length, 5);
    t.ok(
      isProblem(await app.call('POST', verify, { body: { email, otp } }), 429, 'RATE_LIMITED'),
      'the code is void',
    );
    await queryDatabase(app, "DELETE FROM attempt_budgets WHERE key LIKE 'otp-%'");
    t.ok(
      isProblem(await app.call('POST', verify, { body: { email, otp } }), 400, 'OTP_INVALID'),
      'its own count makes it void too',
    );

    const stranger = { email: 'nobody@example.org', otp: '123456' };
    const unknown = await runConcurrently(50, () => app.call('POST', verify, { body: stranger }));
    t.same(countStatuses(unknown), countStatuses(known));
    const shape = (status: number) => (answers: typeof known) => {
      const { requestId: _id, ...body } = answers.find((answer) => answer.status === status)?.body ?? {};
      return body;
    };
    t.same(shape(400)(unknown), shape(400)(known));
    t.same(shape(429)(unknown), shape(429)(known));
  },
);

t.test('a new OTP can be tried again, within ten attempts an hour and 50 a day', async (t) => {
  const app = await startTestApp(t);
  const email = 'ada@example.org';
  const wrong = async (codes: string[]) =>
    (await app.call('POST', verify, { body: { email, otp: createDifferentOtp(...codes) } })).status;
  const first = await registerAndGetOtp(app, email);
  for (let count = 0; count < 5; count++) t.equal(await wrong([first]), 400);
  t.equal(await wrong([first]), 429);
  const second = await resendAndGetOtp(app, email);
  for (let count = 0; count < 5; count++) t.equal(await wrong([first, second]), 400);
  const third = await resendAndGetOtp(app, email);
  t.match(third, /^\d{6}$/);
  const refused = await app.call('POST', verify, { body: { email, otp: third } });
  t.ok(isProblem(refused, 429, 'RATE_LIMITED'), 'the hourly limit applies although the OTP is new and right');
  t.ok(Number(refused.headers['retry-after']) > 3_000);

  await queryDatabase(app, "DELETE FROM attempt_budgets WHERE key LIKE 'otp-hour:%'");
  await queryDatabase(app, "UPDATE attempt_budgets SET used = 50 WHERE key LIKE 'otp-day:%'");
  t.ok(
    Number((await app.call('POST', verify, { body: { email, otp: third } })).headers['retry-after']) > 3_600,
  );
  await queryDatabase(app, "UPDATE attempt_budgets SET used = 49 WHERE key LIKE 'otp-day:%'");
  t.equal((await app.call('POST', verify, { body: { email, otp: third } })).status, 200);
});

t.test('two OTPs of one address share one attempt limit', async (t) => {
  const app = await startTestApp(t);
  const email = 'ada@example.org';
  const codes = [
    await registerAndGetOtp(app, email),
    await registerAndGetOtp(app, email, `${TEST_PASSWORD} two`),
  ];
  const answers = await runConcurrently(20, () =>
    app.call('POST', verify, { body: { email, otp: createDifferentOtp(...codes) } }),
  );
  t.same(countStatuses(answers), { 400: 5, 429: 15 });
});

t.test('an expired, a replaced and a foreign OTP give the same 400', async (t) => {
  const app = await startTestApp(t);
  const email = 'ada@example.org';
  const replaced = await registerAndGetOtp(app, email);
  const current = await resendAndGetOtp(app, email);
  const other = await registerAndGetOtp(app, 'eve@example.org');
  const bodies: string[] = [];
  const refuse = async (otp: string) => {
    const answer = await app.call('POST', verify, { body: { email, otp } });
    t.ok(isProblem(answer, 400, 'OTP_INVALID'), answer.text);
    bodies.push(JSON.stringify({ ...answer.body, requestId: '' }));
  };
  if (replaced !== current) await refuse(replaced);
  if (other !== current) await refuse(other);
  await queryDatabase(app, "UPDATE pending_registrations SET expires_at = now() - interval '1 second'");
  await refuse(current);
  t.equal(new Set(bodies).size, 1);
  t.ok(
    isProblem(
      await app.call('POST', verify, { body: { email: 'no address', otp: current } }),
      400,
      'OTP_INVALID',
    ),
  );
});

t.test(
  'an OTP is stored as a keyed hash, expires after ten minutes; a server error uses up no attempt',
  async (t) => {
    const app = await startTestApp(t);
    const email = 'ada@example.org';
    const otp = await registerAndGetOtp(app, email);
    const [row] = await queryDatabase(
      app,
      'SELECT otp_hash, expires_at - created_at AS life FROM pending_registrations',
    );
    t.equal(row.otp_hash.length, 32);
    t.match(row.life, { minutes: 10 - (row.life.seconds > 30 ? 1 : 0) });
    const { fieldCipher } = app.services;
    const hash = fieldCipher.hash;
    fieldCipher.hash = () => {
      throw new Error('a fault of the service');
    };
    t.equal((await app.call('POST', verify, { body: { email, otp } })).status, 500);
    fieldCipher.hash = hash;
    t.same(await queryDatabase(app, 'SELECT attempts FROM pending_registrations'), [{ attempts: 0 }]);
  },
);

t.test('an address gets at most three mails in 15 minutes, and the response stays the same', async (t) => {
  const app = await startTestApp(t);
  const email = 'ada@example.org';
  await registerAndGetOtp(app, email);
  const answers = [];
  for (let count = 0; count < 5; count++) {
    answers.push(await app.call('POST', '/api/auth/resend-otp', { body: { email } }));
  }
  t.same(countStatuses(answers), { 200: 5 });
  t.same(new Set(answers.map(({ text }) => text)), new Set(['{"done":true}']));
  t.equal((await listMailsTo(app, email)).length, 3);
  t.equal(
    (await app.call('POST', '/api/auth/register', { body: { email, password: TEST_PASSWORD } })).status,
    201,
  );
  t.equal((await listMailsTo(app, email)).length, 3);
  t.match(
    await findAuditEntries(app, 'OTP_RESENT'),
    [{ outcome: 'SUCCESS' }, { outcome: 'SUCCESS' }],
    'one entry for each code that was created',
  );

  const unknown = await app.call('POST', '/api/auth/resend-otp', { body: { email: 'nobody@example.org' } });
  t.equal(unknown.text, '{"done":true}');
  t.same(await listMailsTo(app, 'nobody@example.org'), []);
  const { email: member } = await app.createUser();
  t.same(
    await listMailsCausedBy(app, member, () =>
      app.call('POST', '/api/auth/resend-otp', { body: { email: member } }),
    ),
    [],
  );
});

t.test('one client can cause at most 20 mails an hour, over all recipients', async (t) => {
  const app = await startTestApp(t, { RATE_LIMIT_SCALE: '1' });
  const ask = (index: number, remoteAddress: string) =>
    app.call('POST', '/api/auth/resend-otp', {
      body: { email: `nobody${index}@example.org` },
      remoteAddress,
    });
  freezeRateWindow(t);
  for (let index = 0; index < 20; index++) {
    await queryDatabase(app, 'UPDATE rate_counters SET hits = 0');
    t.equal((await ask(index, '192.0.2.7')).status, 200);
  }
  t.ok(isProblem(await ask(20, '192.0.2.7'), 429, 'RATE_LIMITED'));
  t.equal((await ask(21, '192.0.2.8')).status, 200, 'another client is not affected');
});

t.test(
  'parallel registrations, resends and verifications cause no server error but 503 when busy',
  async (t) => {
    const app = await startTestApp(t);
    const emails = Array.from({ length: 4 }, (_, index) => `p${index}@example.org`);
    for (const email of emails) await registerAndGetOtp(app, email);
    const answers = await runConcurrently(60, (index) => {
      const email = emails[index % 4];
      const [url, body] = [
        ['resend-otp', { email }],
        ['verify-otp', { email, otp: '123456' }],
        ['register', { email, password: TEST_PASSWORD }],
      ][Math.floor(index / 4) % 3] as [string, object];
      return app.call('POST', `/api/auth/${url}`, { body });
    });
    t.ok(
      answers.every(({ status, headers }) => status < 500 || (status === 503 && headers['retry-after'])),
      JSON.stringify(countStatuses(answers)),
    );
  },
);
