import { generateId } from '../../../../src/shared/ids.ts';
import { startTestApp, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  findAuditEntries,
  isProblem,
  listMailsCausedBy,
  listMailsTo,
  queryDatabase,
  registerAndGetOtp,
} from './helper.ts';

const email = 'ada@example.org';
const OWN = 'the password of the owner';
const PLANTED = 'the password of a stranger';

const login = (app: TestApp, password: string) =>
  app.call('POST', '/api/auth/login', { body: { email, password } });
const resend = (app: TestApp) =>
  listMailsCausedBy(app, email, () => app.call('POST', '/api/auth/resend-otp', { body: { email } }));

t.test('login with the password of a pending registration answers like a wrong password', async (t) => {
  const app = await startTestApp(t);
  const otp = await registerAndGetOtp(app, email, OWN);
  for (const password of [PLANTED, `${PLANTED} two`]) await registerAndGetOtp(app, email, password);
  for (const password of [OWN, PLANTED, `${PLANTED} two`]) {
    t.ok(isProblem(await login(app, password), 401, 'CREDENTIALS_INVALID'), password);
  }
  t.ok(isProblem(await login(app, `${PLANTED} three`), 401, 'CREDENTIALS_INVALID'));
  const body = { email, otp, password: OWN };
  t.equal((await app.call('POST', '/api/auth/verify-otp', { body })).status, 200);
  t.equal((await login(app, OWN)).status, 200);
  t.ok(
    isProblem(await login(app, PLANTED), 401, 'CREDENTIALS_INVALID'),
    'the other registrations are removed',
  );
});

t.test('a leftover registration gives no access to an account without a password', async (t) => {
  const app = await startTestApp(t);
  await registerAndGetOtp(app, email, PLANTED);
  await queryDatabase(
    app,
    "UPDATE users SET status = 'VERIFIED', password_hash = NULL WHERE email = $1",
    email,
  );
  t.ok(isProblem(await login(app, PLANTED), 401, 'CREDENTIALS_INVALID'));
});

t.test('no code activates a password that somebody else may know', async (t) => {
  for (const order of [
    [OWN, PLANTED],
    [PLANTED, OWN],
    [OWN, PLANTED, PLANTED, PLANTED, PLANTED, PLANTED, PLANTED],
  ])
    for (const isNewest of [true, false]) {
      const app = await startTestApp(t);
      const codes: string[] = [];
      for (const password of order) {
        const body = { email, password, firstName: password === OWN ? 'Ada' : 'Mallory', lastName: 'L' };
        const register = () => app.call('POST', '/api/auth/register', { body });
        const [mail] = await listMailsCausedBy(app, email, register);
        codes.push(mail?.subject.slice(0, 6) ?? '');
        await queryDatabase(app, "DELETE FROM attempt_budgets WHERE key LIKE 'mail%'");
      }
      const otp = (isNewest ? codes.at(-1) : codes[order.indexOf(OWN)]) ?? '';
      const mails = await listMailsCausedBy(app, email, async () => {
        const confirmed = await app.call('POST', '/api/auth/verify-otp', { body: { email, otp } });
        t.match(confirmed.body, { passwordLinkSent: true, user: { status: 'VERIFIED', firstName: null } });
      });
      t.match(mails, [{ subject: 'Choose a new password' }]);
      for (const password of [OWN, PLANTED]) t.equal((await login(app, password)).status, 401, password);
      t.equal(await app.database.client.pendingRegistration.count(), 0);
      const token = /#token=([\w-]+)/.exec(mails[0]?.text ?? '')?.[1];
      const chosen = { token, password: 'a password that nobody else knows' };
      t.equal((await app.call('POST', '/api/auth/reset-password', { body: chosen })).status, 200);
      t.equal((await login(app, chosen.password)).status, 200);
    }
});

t.test('another password than that of the only registration completes nothing', async (t) => {
  const app = await startTestApp(t);
  const otp = await registerAndGetOtp(app, email, PLANTED);
  const body = { email, otp, password: OWN };
  const confirmed = await app.call('POST', '/api/auth/verify-otp', { body });
  t.match(confirmed, { status: 200, body: { passwordLinkSent: true } });
  t.equal((await login(app, PLANTED)).status, 401);
});

t.test('repeats of one password from many networks push out no other', async (t) => {
  const app = await startTestApp(t);
  await registerAndGetOtp(app, email, OWN);
  const [own] = await app.database.client.pendingRegistration.findMany();
  if (!own) throw new Error('There is no registration.');
  const { id: _own, networkHash: _network, ...row } = own;
  const rows = Array.from({ length: 100 }, (_, index) => ({
    ...row,
    id: generateId(),
    passwordHash: `other ${index}`,
    networkHash: Buffer.from(`network ${index}`),
    createdAt: new Date(Date.now() + 1_000),
  }));
  await app.database.client.pendingRegistration.createMany({ data: rows.slice(0, 60) });
  await app.database.client.pendingRegistration.createMany({
    data: rows.slice(60).map((one) => ({ ...one, passwordHash: 'planted' })),
  });
  await registerAndGetOtp(app, email, PLANTED);
  const rowsOfOwner = await app.database.client.pendingRegistration.findMany({ where: { id: own.id } });
  t.equal(rowsOfOwner.length, 1);
});

t.test('the password of a registration completes this one, by the code of any', async (t) => {
  for (const first of [true, false]) {
    const app = await startTestApp(t);
    const register = (password: string, firstName: string) =>
      app.call('POST', '/api/auth/register', { body: { email, password, firstName, lastName: 'L' } });
    if (first) await register(OWN, 'Ada');
    await register(PLANTED, 'Mallory');
    if (!first) await register(OWN, 'Ada');
    const otp = await app.getOtp(email);
    const confirm = (password: string) =>
      app.call('POST', '/api/auth/verify-otp', { body: { email, otp, password } });
    const confirmed = await confirm(OWN);
    t.match(confirmed.body, { user: { status: 'ACTIVE', firstName: 'Ada' } });
    t.equal(confirmed.body.passwordLinkSent, undefined);
    t.equal((await login(app, OWN)).status, 200);
    t.equal((await login(app, PLANTED)).status, 401);
  }
});

t.test('a resent code is one for all registrations of the network', async (t) => {
  const app = await startTestApp(t);
  await registerAndGetOtp(app, email, OWN);
  await registerAndGetOtp(app, email, PLANTED);
  const [mail, ...others] = await resend(app);
  t.equal(others.length, 0);
  t.match(mail?.text, /more than one sign-up, with different passwords/);
  const otp = mail?.subject.slice(0, 6);
  const confirmed = await app.call('POST', '/api/auth/verify-otp', { body: { email, otp } });
  t.equal(confirmed.body.passwordLinkSent, true);
  t.match(await findAuditEntries(app, 'OTP_RESENT'), [{ outcome: 'SUCCESS' }]);
});

t.test('the mail with an OTP names its registration', async (t) => {
  const app = await startTestApp(t);
  const [mail] = await listMailsCausedBy(app, email, () => registerAndGetOtp(app, email, OWN));
  t.match(
    mail?.text,
    /the sign-up from \w+ \d+, \d{4} at \d+:\d\d:\d\d\s[AP]M UTC with the password chosen then/,
  );
});

t.test('registering twice with one password gives one OTP', async (t) => {
  const app = await startTestApp(t);
  for (let count = 0; count < 2; count++) await registerAndGetOtp(app, email, OWN);
  const [mail] = await resend(app);
  t.match(mail?.subject, /^\d{6} is your confirmation code$/);
  const otp = mail?.subject.slice(0, 6);
  t.equal((await app.call('POST', '/api/auth/verify-otp', { body: { email, otp } })).status, 200);
  t.equal((await login(app, OWN)).status, 200);
});

t.test(
  'five pending registrations are kept, one mail has an OTP for all, and mails stay limited',
  async (t) => {
    const app = await startTestApp(t);
    for (let count = 0; count < 7; count++) {
      await registerAndGetOtp(app, email, `${PLANTED} ${count}`);
      await queryDatabase(app, 'DELETE FROM attempt_budgets');
    }
    t.equal(await app.database.client.pendingRegistration.count(), 5);
    const mails = await resend(app);
    t.equal(mails.length, 1);
    t.match(mails[0]?.subject, /^\d{6} is your confirmation code$/);
    for (let count = 0; count < 4; count++) await resend(app);
    t.equal((await listMailsTo(app, email)).length, 7 + 3);
  },
);
