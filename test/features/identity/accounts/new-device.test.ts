import { startTestApp, TEST_PASSWORD, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  enableSecondFactor,
  generateUnusedTotpCode,
  verifySecondFactorCode,
} from '../second-factor/helper.ts';
import { listMailsCausedBy, queryDatabase, runConcurrently } from './helper.ts';

const FIREFOX =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0 canary-agent';
const SUBJECT = 'New sign-in to your account';

interface From {
  address: string;
  deviceToken?: string;
}

async function logInFrom(app: TestApp, email: string, { address, deviceToken }: From) {
  return app.call('POST', '/api/auth/login', {
    body: { email, password: TEST_PASSWORD, ...(deviceToken ? { deviceToken } : {}) },
    headers: { 'user-agent': FIREFOX },
    remoteAddress: address,
  });
}

const mailsOf = async (app: TestApp, email: string, from: From) =>
  (await listMailsCausedBy(app, email, () => logInFrom(app, email, from))).filter(
    ({ subject }) => subject === SUBJECT,
  );

const nextHour = (app: TestApp) =>
  queryDatabase(app, "DELETE FROM attempt_budgets WHERE key LIKE 'new-device:%'");

t.test('a login from a new device and a new network sends a mail, at most once an hour', async (t) => {
  const app = await startTestApp(t);
  const { email, deviceToken } = await app.createUser();
  t.same(await mailsOf(app, email, { address: '127.0.0.9' }), [], 'the network of the first session');
  const [mail, ...more] = await mailsOf(app, email, { address: '203.0.113.77' });
  t.same(more, []);
  t.match(mail?.text, /Firefox \(Windows\), network 203\.0\.113\.0,/);
  await nextHour(app);
  t.same(await mailsOf(app, email, { address: '203.0.113.5' }), [], 'the network is known');
  t.same(await mailsOf(app, email, { address: '198.51.100.1', deviceToken }), [], 'the device is known');
  await nextHour(app);
  t.equal(
    (await mailsOf(app, email, { address: '2001:db8:1:2::3' })).length,
    1,
    'IPv6 networks are compared by /48',
  );
  await nextHour(app);
  t.same(await mailsOf(app, email, { address: '2001:db8:1:ffff::9' }), []);
  await queryDatabase(app, 'UPDATE sessions SET ended_at = now(), end_reason = $1', 'LOGOUT');
  t.same(await mailsOf(app, email, { address: '203.0.113.9' }), [], 'ended sessions are remembered');

  const { deviceToken: foreign } = await app.createUser();
  const mails = await listMailsCausedBy(app, email, () =>
    runConcurrently(8, (index) =>
      logInFrom(app, email, { address: `192.0.${index}.1`, deviceToken: foreign }),
    ),
  );
  t.equal(
    mails.filter(({ subject }) => subject === SUBJECT).length,
    1,
    'eight parallel logins send one mail',
  );
});

t.test('the very first session sends no new-device mail', async (t) => {
  const app = await startTestApp(t);
  const { email } = await app.createUser();
  await queryDatabase(app, 'DELETE FROM sessions');
  t.same(await mailsOf(app, email, { address: '203.0.113.77' }), []);
});

t.test('the new-device mail repeats no client input and no full IP address', async (t) => {
  const app = await startTestApp(t);
  const { email } = await app.createUser();
  const [mail] = await mailsOf(app, email, { address: '203.0.113.77' });
  t.notMatch(mail?.text, /canary|203\.0\.113\.77|Mozilla|eyJ/);
  const [row] = await queryDatabase(
    app,
    "SELECT content FROM outgoing_mails WHERE template = 'NEW_DEVICE_LOGIN'",
  );
  t.equal(row.content, null, 'the content of the mail is not kept');
});

t.test('with a second factor, the new-device mail is sent after the second step, not before', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const { email } = user;
  const { secret } = await enableSecondFactor(app, user);
  let mfaToken = '';
  const first = await listMailsCausedBy(app, email, async () => {
    mfaToken = (await logInFrom(app, email, { address: '203.0.113.77' })).body.mfaToken;
  });
  t.same(first, []);
  const second = await listMailsCausedBy(app, email, async () => {
    const body = { mfaToken, code: await generateUnusedTotpCode(app, secret) };
    await app.call('POST', '/api/auth/mfa/verify', { body, remoteAddress: '203.0.113.77' });
  });
  t.match(second, [{ subject: SUBJECT, text: /Safari \(iOS\)/ }]);
  t.equal((await verifySecondFactorCode(app, { mfaToken, code: '123456' })).status, 401);
});
