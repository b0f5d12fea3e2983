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
  t.equal((await app.call('POST', '/api/auth/verify-otp', { body: { email, otp } })).status, 200);
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

t.test('each password gets a new OTP, in one mail that names the registration of each', async (t) => {
  for (const chosen of [OWN, PLANTED]) {
    const app = await startTestApp(t);
    await registerAndGetOtp(app, email, OWN);
    await queryDatabase(app, "UPDATE pending_registrations SET created_at = '2026-01-02T03:04:05Z'");
    await registerAndGetOtp(app, email, PLANTED);
    const mails = await resend(app);
    t.equal(mails.length, 1);
    const [mail] = mails;
    const found = [...(mail?.text ?? '').matchAll(/^(\d{6}) for the sign-up from (.*) UTC$/gm)];
    t.equal(found.length, 2);
    t.equal(found[1]?.[2]?.replace(/\s/g, ' '), 'January 2, 2026 at 3:04:05 AM', 'the newest comes first');
    t.match(mail?.subject, `${found[0]?.[1]} or ${found[1]?.[1]}`);
    t.notMatch(mail?.text, /password of/);
    const otp = found[chosen === OWN ? 1 : 0]?.[1];
    t.equal((await app.call('POST', '/api/auth/verify-otp', { body: { email, otp } })).status, 200);
    for (const password of [OWN, PLANTED]) {
      t.equal((await login(app, password)).status, password === chosen ? 200 : 401, password);
    }
    t.match(await findAuditEntries(app, 'OTP_RESENT'), [{ outcome: 'SUCCESS' }]);
  }
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
  'five pending registrations are kept, one mail has an OTP for each, and mails stay limited',
  async (t) => {
    const app = await startTestApp(t);
    for (let count = 0; count < 7; count++) {
      await registerAndGetOtp(app, email, `${PLANTED} ${count}`);
      await queryDatabase(app, 'DELETE FROM attempt_budgets');
    }
    t.equal(await app.database.client.pendingRegistration.count(), 5);
    const mails = await resend(app);
    t.equal(mails.length, 1);
    t.equal((mails[0]?.text.match(/^\d{6} for/gm) ?? []).length, 5);
    for (let count = 0; count < 4; count++) await resend(app);
    t.equal((await listMailsTo(app, email)).length, 7 + 3);
  },
);
