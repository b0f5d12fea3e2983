import { TOTP, URI } from 'otpauth';
import { isQrCodeDecodableAs } from '../../../../src/platform/qr-image/decode-image.ts';
import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import {
  countStatuses,
  findAuditEntries,
  isProblem,
  listMailsCausedBy,
  queryDatabase,
  runConcurrently,
} from '../accounts/helper.ts';
import {
  enableSecondFactor,
  generateTotpCode,
  generateUnusedTotpCode,
  generateWrongTotpCode,
  logInWithPassword,
  verifySecondFactorCode,
} from './helper.ts';

const enrollUrl = '/api/auth/mfa/enroll';
const confirmUrl = '/api/auth/mfa/confirm';

t.test(
  'a second factor is active once its first code is entered, and ends every other session',
  async (t) => {
    const app = await startTestApp(t);
    const { accessToken: token, email, id } = await app.createUser();
    const other = (await logInWithPassword(app, email)).body.accessToken;
    const state = async () => (await app.call('GET', '/api/auth/mfa', { token })).body;
    const off = {
      enabled: false,
      required: false,
      enabledAt: null,
      pendingUntil: null,
      recoveryCodesLeft: 0,
    };
    t.same(await state(), off);

    const enrolled = await app.call('POST', enrollUrl, { token, body: { password: TEST_PASSWORD } });
    t.equal(enrolled.status, 200);
    t.equal(enrolled.headers['cache-control'], 'no-store');
    const { secret, otpauthUri, qrCodeDataUrl } = enrolled.body;
    const read = URI.parse(otpauthUri);
    t.match(read, { issuer: 'QR Profile Service', label: email, digits: 6, algorithm: 'SHA1' });
    t.ok(read instanceof TOTP && read.period === 30 && read.secret.base32 === secret);
    t.ok(read.secret.bytes.length >= 20, '160 bits');
    t.ok(
      await isQrCodeDecodableAs(Buffer.from(qrCodeDataUrl.split(',')[1], 'base64'), otpauthUri),
      'the QR code can be decoded',
    );
    t.match(await state(), { enabled: false, pendingUntil: enrolled.body.expiresAt });
    t.equal((await logInWithPassword(app, email)).body.mfaRequired, undefined, 'not required yet');

    const mails = await listMailsCausedBy(app, email, async () => {
      const confirmed = await app.call('POST', confirmUrl, {
        token,
        body: { code: generateTotpCode(secret) },
      });
      t.equal(confirmed.status, 200);
      t.equal(new Set(confirmed.body.recoveryCodes).size, 10);
      for (const code of confirmed.body.recoveryCodes) t.match(code, /^([0-9a-z]{4}-){5}[0-9a-z]{4}$/);
    });
    t.match(mails, [{ subject: 'Two-factor authentication is on' }]);
    t.match(await state(), { enabled: true, enabledAt: String, pendingUntil: null, recoveryCodesLeft: 10 });
    t.equal((await app.call('GET', '/api/auth/me', { token: other })).status, 401, 'the other session ended');
    t.match(await queryDatabase(app, "SELECT event FROM notifications WHERE event LIKE 'second_factor.%'"), [
      { event: 'second_factor.enabled' },
    ]);
    t.match(await findAuditEntries(app, 'MFA_ENROLL_STARTED', 'MFA_ENABLED'), { length: 2 });
    t.match((await logInWithPassword(app, email)).body, {
      mfaRequired: true,
      mfaToken: String,
      expiresIn: 300,
    });
    t.equal((await queryDatabase(app, 'SELECT user_id FROM second_factors'))[0].user_id, id);
  },
);

t.test('enrolling requires the current password or, without one, a recent login', async (t) => {
  const app = await startTestApp(t);
  const { accessToken: token, id } = await app.createUser();
  const enroll = (body: object) => app.call('POST', enrollUrl, { token, body });
  for (const body of [{}, { password: 'not the password at all' }]) {
    t.ok(isProblem(await enroll(body), 401, 'CREDENTIALS_INVALID'));
  }
  t.match(await findAuditEntries(app, 'MFA_REJECTED'), { length: 2 });
  await queryDatabase(app, 'UPDATE users SET password_hash = NULL WHERE id = $1', id);
  t.equal((await enroll({})).status, 200, 'the session is recent');
  await queryDatabase(app, "UPDATE sessions SET created_at = created_at - interval '11 minutes'");
  t.ok(isProblem(await enroll({}), 403, 'REAUTHENTICATION_REQUIRED'));
});

t.test('an expired enrollment cannot be confirmed, and a new one replaces it', async (t) => {
  const app = await startTestApp(t);
  const { accessToken: token } = await app.createUser();
  const enroll = async () =>
    (await app.call('POST', enrollUrl, { token, body: { password: TEST_PASSWORD } })).body.secret;
  const confirm = (code: string) => app.call('POST', confirmUrl, { token, body: { code } });
  t.ok(isProblem(await confirm('123456'), 409, 'MFA_NOT_ENABLED'), 'no enrollment is pending');
  const first = await enroll();
  await queryDatabase(app, "UPDATE second_factors SET pending_until = now() - interval '1 second'");
  t.ok(isProblem(await confirm(generateTotpCode(first)), 409, 'MFA_NOT_ENABLED'));
  const second = await enroll();
  t.ok(
    isProblem(await confirm(generateTotpCode(first)), 401, 'MFA_CODE_INVALID'),
    'a code of the first secret',
  );
  t.equal((await confirm(generateTotpCode(second))).status, 200);
  t.ok(isProblem(await confirm(generateTotpCode(second)), 409, 'MFA_ALREADY_ENABLED'));
  t.ok(
    isProblem(
      await app.call('POST', enrollUrl, { token, body: { password: TEST_PASSWORD } }),
      409,
      'MFA_ALREADY_ENABLED',
    ),
    'a stolen session cannot replace the secret',
  );
});

t.test('wrong codes of an enrollment are counted over all networks', async (t) => {
  const app = await startTestApp(t);
  const { accessToken: token } = await app.createUser();
  const enroll = async () =>
    (await app.call('POST', enrollUrl, { token, body: { password: TEST_PASSWORD } })).body.secret;
  const confirm = (code: string, network: number) =>
    app.call('POST', confirmUrl, { token, body: { code }, remoteAddress: `198.51.${network}.1` });
  const first = await enroll();
  for (let network = 0; network < 20; network++)
    t.equal((await confirm(generateWrongTotpCode(first), network)).status, 401);
  t.ok(isProblem(await confirm(generateTotpCode(first), 20), 429, 'RATE_LIMITED'), 'also the right code');
  const second = await enroll();
  t.ok(isProblem(await confirm(generateTotpCode(second), 21), 429, 'RATE_LIMITED'), 'another secret');
  await queryDatabase(app, "UPDATE attempt_budgets SET window_ends_at = now() - interval '1 second'");
  t.equal((await confirm(generateTotpCode(second), 22)).status, 200);
});

t.test('20 parallel confirmations with the right code enable a second factor once', async (t) => {
  const app = await startTestApp(t);
  const { accessToken: token } = await app.createUser();
  const { secret } = (await app.call('POST', enrollUrl, { token, body: { password: TEST_PASSWORD } })).body;
  const code = generateTotpCode(secret);
  const answers = await runConcurrently(20, () => app.call('POST', confirmUrl, { token, body: { code } }));
  t.same(countStatuses(answers), { 200: 1, 409: 19 });
  t.equal(await app.database.client.recoveryCode.count(), 10);
});

t.test('disabling a second factor requires password and code, and keeps the current session', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const { accessToken: token, email } = user;
  const off = (body: object) => app.call('DELETE', '/api/auth/mfa', { token, body });
  t.ok(isProblem(await off({ password: TEST_PASSWORD, code: '123456' }), 409, 'MFA_NOT_ENABLED'));
  const { secret, recoveryCodes } = await enableSecondFactor(app, user);
  const code = await generateUnusedTotpCode(app, secret);
  t.ok(isProblem(await off({ password: 'a wrong password', code }), 401, 'CREDENTIALS_INVALID'));
  t.ok(
    isProblem(
      await off({ password: TEST_PASSWORD, code: generateWrongTotpCode(secret) }),
      401,
      'MFA_CODE_INVALID',
    ),
  );
  for (const body of [
    { password: TEST_PASSWORD },
    { password: TEST_PASSWORD, code, recoveryCode: recoveryCodes[0] },
  ]) {
    t.ok(isProblem(await off(body), 400, 'VALIDATION_FAILED'), 'exactly one code is required');
  }
  const mails = await listMailsCausedBy(app, email, async () =>
    t.equal((await off({ password: TEST_PASSWORD, code })).status, 200),
  );
  t.match(mails, [{ subject: 'Two-factor authentication is off' }]);
  t.match(await findAuditEntries(app, 'MFA_DISABLED'), [{ severity: 'HIGH', outcome: 'SUCCESS' }]);
  t.equal((await app.call('GET', '/api/auth/me', { token })).status, 200, 'this session stays');
  t.same((await app.call('GET', '/api/auth/mfa', { token })).body.enabled, false);
  t.ok((await logInWithPassword(app, email)).body.accessToken, 'the password alone is enough again');
  t.equal(await app.database.client.recoveryCode.count(), 0, 'recovery codes are deleted');

  const secondEnrollment = await enableSecondFactor(app, user);
  const recoveryCode = secondEnrollment.recoveryCodes[3];
  t.equal((await off({ password: TEST_PASSWORD, recoveryCode })).status, 200, 'a recovery code works too');
});

t.test('new recovery codes invalidate the old ones', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const { accessToken: token, email } = user;
  const { secret, recoveryCodes } = await enableSecondFactor(app, user);
  const renew = (body: object) => app.call('POST', '/api/auth/mfa/recovery-codes', { token, body });
  t.ok(isProblem(await renew({ code: generateWrongTotpCode(secret) }), 401, 'MFA_CODE_INVALID'));
  const { status, body } = await renew({ code: await generateUnusedTotpCode(app, secret) });
  t.equal(status, 200);
  t.equal(body.recoveryCodes.length, 10);
  t.same(
    body.recoveryCodes.filter((code: string) => recoveryCodes.includes(code)),
    [],
  );
  const attempt = async (recoveryCode: string) => {
    const { mfaToken } = (await logInWithPassword(app, email)).body;
    return verifySecondFactorCode(app, { mfaToken, recoveryCode });
  };
  t.ok(isProblem(await attempt(recoveryCodes[0] ?? ''), 401, 'MFA_CODE_INVALID'));
  t.equal((await attempt(body.recoveryCodes[0])).status, 200);
  await queryDatabase(app, "UPDATE sessions SET created_at = created_at - interval '11 minutes'");
  const late = await renew({ code: await generateUnusedTotpCode(app, secret) });
  t.ok(isProblem(late, 403, 'REAUTHENTICATION_REQUIRED'), 'a recent login is required');
});

t.test('every step of a second factor has exactly one audit entry', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const { accessToken: token, email } = user;
  const one = async (action: string, outcome: string, work: () => Promise<unknown>) => {
    const entries = await captureAuditEntries(app, work);
    t.same(
      entries.map((entry) => `${entry.action} ${entry.outcome}`),
      [`${action} ${outcome}`],
      action,
    );
  };
  let secret = '';
  let codes: string[] = [];
  let mfaToken = '';
  const post = (url: string, body: object) => app.call('POST', `/api/auth/${url}`, { token, body });
  await one('MFA_ENROLL_STARTED', 'SUCCESS', async () => {
    secret = (await post('mfa/enroll', { password: TEST_PASSWORD })).body.secret;
  });
  await one('MFA_REJECTED', 'DENIED', () => post('mfa/confirm', { code: generateWrongTotpCode(secret) }));
  await one('MFA_ENABLED', 'SUCCESS', async () => {
    codes = (await post('mfa/confirm', { code: generateTotpCode(secret) })).body.recoveryCodes;
  });
  await one('MFA_REQUIRED', 'SUCCESS', async () => {
    mfaToken = (await logInWithPassword(app, email)).body.mfaToken;
  });
  await one('MFA_REJECTED', 'DENIED', () =>
    verifySecondFactorCode(app, { mfaToken, code: generateWrongTotpCode(secret) }),
  );
  await one('MFA_REJECTED', 'DENIED', () => verifySecondFactorCode(app, { mfaToken: 'x', code: '123456' }));
  const code = await generateUnusedTotpCode(app, secret);
  await one('MFA_VERIFIED', 'SUCCESS', () => verifySecondFactorCode(app, { mfaToken, code }));
  mfaToken = (await logInWithPassword(app, email)).body.mfaToken;
  await one('RECOVERY_CODE_USED', 'SUCCESS', () =>
    verifySecondFactorCode(app, { mfaToken, recoveryCode: codes[0] }),
  );
  const next = await generateUnusedTotpCode(app, secret);
  await one('RECOVERY_CODES_RENEWED', 'SUCCESS', () => post('mfa/recovery-codes', { code: next }));
  const last = await generateUnusedTotpCode(app, secret);
  await one('MFA_DISABLED', 'SUCCESS', () =>
    app.call('DELETE', '/api/auth/mfa', { token, body: { password: TEST_PASSWORD, code: last } }),
  );
});
