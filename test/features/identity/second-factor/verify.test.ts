import { revokeUserAccess } from '../../../../src/features/identity/index.ts';
import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  countStatuses,
  findAuditEntries,
  isProblem,
  listMailsCausedBy,
  queryDatabase,
  requestResetToken,
  runConcurrently,
} from '../accounts/helper.ts';
import {
  enableSecondFactor,
  generateTotpCode,
  generateUnusedTotpCode,
  generateWrongTotpCode,
  getMfaToken,
  logInWithPassword,
  verifySecondFactorCode,
} from './helper.ts';

t.test('a login with a second factor creates no session before its code is verified', async (t) => {
  const app = await startTestApp(t);
  const createUser = await app.createUser();
  const { email } = createUser;
  const { secret } = await enableSecondFactor(app, createUser);
  const before = await app.database.client.session.count();
  const first = await logInWithPassword(app, email);
  t.equal(first.status, 200);
  t.equal(first.headers['cache-control'], 'no-store');
  t.same(Object.keys(first.body).sort(), ['expiresIn', 'mfaRequired', 'mfaToken']);
  t.equal(await app.database.client.session.count(), before, 'no session');
  const { mfaToken } = first.body;
  t.equal((await app.call('GET', '/api/auth/me', { token: mfaToken })).status, 401, 'no access token');
  const refresh = await app.call('POST', '/api/auth/refresh-token', { body: { refreshToken: mfaToken } });
  t.equal(refresh.status, 401, 'no refresh token');
  const device = await logInWithPassword(app, email, { deviceToken: mfaToken });
  t.ok(device.body.mfaRequired, 'no device token');

  const second = await verifySecondFactorCode(app, {
    mfaToken,
    code: await generateUnusedTotpCode(app, secret),
  });
  t.equal(second.status, 200);
  t.match(second.body, { accessToken: String, refreshToken: String, deviceToken: String, user: { email } });
  t.equal((await app.call('GET', '/api/auth/me', { token: second.body.accessToken })).status, 200);
  const again = await verifySecondFactorCode(app, {
    mfaToken,
    code: await generateUnusedTotpCode(app, secret),
  });
  t.ok(isProblem(again, 401, 'MFA_TOKEN_INVALID'), 'the token works once');
});

t.test('a code works only once, also in 50 parallel logins', async (t) => {
  const app = await startTestApp(t);
  const createUser = await app.createUser();
  const { secret, deviceToken } = await enableSecondFactor(app, createUser);
  const code = await generateUnusedTotpCode(app, secret);
  const tokens: string[] = [];
  for (let count = 0; count < 10; count++) tokens.push(await getMfaToken(app, createUser.email));
  const answers = await runConcurrently(50, (index) =>
    verifySecondFactorCode(app, { mfaToken: tokens[index % 10], code, deviceToken }),
  );
  const counts = countStatuses(answers);
  t.equal(counts[200], 1, JSON.stringify(counts));
  t.ok(
    answers.every(
      ({ status, body }) =>
        status === 200 || status === 429 || status === 401 || body.code === 'DATABASE_UNAVAILABLE',
    ),
    JSON.stringify(counts),
  );
  t.match(await findAuditEntries(app, 'MFA_VERIFIED'), { length: 1 });
  await queryDatabase(app, 'DELETE FROM attempt_budgets');
  const replay = await verifySecondFactorCode(app, {
    mfaToken: await getMfaToken(app, createUser.email),
    code,
  });
  t.ok(isProblem(replay, 401, 'MFA_CODE_INVALID'), 'not later either');
});

t.test('a recovery code works only once, also in 50 parallel logins', async (t) => {
  const app = await startTestApp(t);
  const createUser = await app.createUser();
  const { recoveryCodes } = await enableSecondFactor(app, createUser);
  const recoveryCode = recoveryCodes[0]?.toUpperCase().replaceAll('-', ' ');
  const tokens: string[] = [];
  for (let count = 0; count < 10; count++) tokens.push(await getMfaToken(app, createUser.email));
  const mails = await listMailsCausedBy(app, createUser.email, async () => {
    const answers = await runConcurrently(50, (index) =>
      verifySecondFactorCode(app, { mfaToken: tokens[index % 10], recoveryCode }),
    );
    t.equal(countStatuses(answers)[200], 1, JSON.stringify(countStatuses(answers)));
  });
  t.match(mails, [{ subject: 'A recovery code was used to sign in', text: /Codes left: 9/ }]);
  t.match(await findAuditEntries(app, 'RECOVERY_CODE_USED'), { length: 1 });
  await queryDatabase(app, 'DELETE FROM attempt_budgets');
  const replay = await verifySecondFactorCode(app, {
    mfaToken: await getMfaToken(app, createUser.email),
    recoveryCode,
  });
  t.ok(isProblem(replay, 401, 'MFA_CODE_INVALID'), 'not later either');
});

t.test('a pending login becomes one session, also with several recovery codes in parallel', async (t) => {
  const app = await startTestApp(t);
  const createUser = await app.createUser();
  const { recoveryCodes } = await enableSecondFactor(app, createUser);
  const mfaToken = await getMfaToken(app, createUser.email);
  const answers = await runConcurrently(5, (index) =>
    verifySecondFactorCode(app, { mfaToken, recoveryCode: recoveryCodes[index] }),
  );
  t.same(countStatuses(answers), { 200: 1, 401: 4 });
  const left = await app.database.client.recoveryCode.count({ where: { usedAt: null } });
  t.equal(left, 9, 'the other recovery codes stay unused');
});

t.test('codes of the previous and the next time step are accepted, those further off are not', async (t) => {
  const app = await startTestApp(t);
  const createUser = await app.createUser();
  const { secret } = await enableSecondFactor(app, createUser);
  for (const [steps, status] of [
    [-1, 200],
    [1, 200],
    [-4, 401],
    [4, 401],
  ] as const) {
    await generateUnusedTotpCode(app, secret);
    const mfaToken = await getMfaToken(app, createUser.email);
    t.equal(
      (await verifySecondFactorCode(app, { mfaToken, code: generateTotpCode(secret, steps) })).status,
      status,
      `${steps} steps`,
    );
  }
});

t.test(
  'a pending login is void after expiry, a new password or a disabled second factor, or when all sessions are ended',
  async (t) => {
    const app = await startTestApp(t);
    const createUser = await app.createUser();
    const { email } = createUser;
    const { secret, recoveryCodes } = await enableSecondFactor(app, createUser);
    const isDead = async (mfaToken: string, title: string) => {
      const answer = await verifySecondFactorCode(app, {
        mfaToken,
        code: await generateUnusedTotpCode(app, secret),
      });
      t.ok(isProblem(answer, 401, 'MFA_TOKEN_INVALID'), title);
    };
    await isDead('A'.repeat(43), 'an unknown token');
    const late = await getMfaToken(app, email);
    await queryDatabase(app, "UPDATE pending_logins SET expires_at = now() - interval '1 second'");
    await isDead(late, 'expired');

    const another = await app.createUser();
    const other = await enableSecondFactor(app, another);
    const ended = await getMfaToken(app, another.email);
    await app.database.transaction((tx) => revokeUserAccess(tx, another.id, 'ENDED_BY_ADMINISTRATOR'));
    const answer = await verifySecondFactorCode(app, {
      mfaToken: ended,
      code: await generateUnusedTotpCode(app, other.secret),
    });
    t.ok(isProblem(answer, 401, 'MFA_TOKEN_INVALID'), 'an administrator ended all sessions');

    const changed = await getMfaToken(app, email);
    const password = 'a quite different password';
    const body = { currentPassword: TEST_PASSWORD, newPassword: password };
    await app.call('POST', '/api/auth/change-password', { token: createUser.accessToken, body });
    await isDead(changed, 'the password was changed');

    const reset = await getMfaToken(app, email, { password });
    const token = await requestResetToken(app, email);
    await app.call('POST', '/api/auth/reset-password', { body: { token, password: TEST_PASSWORD } });
    await isDead(reset, 'the password was replaced by a mailed link');
    t.match(
      (await logInWithPassword(app, email)).body,
      { mfaRequired: true },
      'a password reset does not bypass the second factor',
    );

    const mfaToken = await getMfaToken(app, email);
    const inside = await verifySecondFactorCode(app, { mfaToken, recoveryCode: recoveryCodes[0] });
    const waiting = await getMfaToken(app, email);
    await app.call('DELETE', '/api/auth/mfa', {
      token: inside.body.accessToken,
      body: { password: TEST_PASSWORD, recoveryCode: recoveryCodes[1] },
    });
    await isDead(waiting, 'the second factor was switched off');
  },
);

t.test('a suspended user cannot complete the second step', async (t) => {
  const app = await startTestApp(t);
  const createUser = await app.createUser();
  const { secret } = await enableSecondFactor(app, createUser);
  const mfaToken = await getMfaToken(app, createUser.email);
  await queryDatabase(app, "UPDATE users SET status = 'SUSPENDED' WHERE id = $1", createUser.id);
  const code = await generateUnusedTotpCode(app, secret);
  t.ok(isProblem(await verifySecondFactorCode(app, { mfaToken, code }), 403, 'ACCOUNT_SUSPENDED'));
});

t.test('a pending login accepts no codes of another user', async (t) => {
  const app = await startTestApp(t);
  const [one, other] = [await app.createUser(), await app.createUser()];
  const firstUser = await enableSecondFactor(app, one);
  const secondUser = await enableSecondFactor(app, other);
  await generateUnusedTotpCode(app, firstUser.secret);
  const mfaToken = await getMfaToken(app, other.email);
  t.equal(
    (await verifySecondFactorCode(app, { mfaToken, code: generateTotpCode(firstUser.secret) })).status,
    401,
  );
  t.equal(
    (await verifySecondFactorCode(app, { mfaToken, recoveryCode: firstUser.recoveryCodes[0] })).status,
    401,
  );
  const own = await verifySecondFactorCode(app, { mfaToken, code: generateTotpCode(secondUser.secret) });
  t.equal(own.body.user.id, other.id);
});

t.test('a second-factor secret moved to another user is an integrity failure', async (t) => {
  const app = await startTestApp(t);
  const [one, other] = [await app.createUser(), await app.createUser()];
  const firstUser = await enableSecondFactor(app, one);
  await enableSecondFactor(app, other);
  await queryDatabase(
    app,
    'UPDATE second_factors SET secret = (SELECT secret FROM second_factors WHERE user_id = $1) WHERE user_id = $2',
    one.id,
    other.id,
  );
  const mfaToken = await getMfaToken(app, other.email);
  const answer = await verifySecondFactorCode(app, {
    mfaToken,
    code: await generateUnusedTotpCode(app, firstUser.secret),
  });
  t.ok(isProblem(answer, 500, 'DATA_INTEGRITY'));
  t.match(await findAuditEntries(app, 'DATA_INTEGRITY_FAILED'), [{ severity: 'CRITICAL' }]);
});

t.test('a user has five attempts in 15 minutes, also in parallel', async (t) => {
  const app = await startTestApp(t);
  const createUser = await app.createUser();
  const { secret } = await enableSecondFactor(app, createUser);
  const mfaToken = await getMfaToken(app, createUser.email);
  const answers = await runConcurrently(30, () =>
    verifySecondFactorCode(app, { mfaToken, code: generateWrongTotpCode(secret) }),
  );
  const { 401: compared, 429: refused, 503: busy = 0 } = countStatuses(answers);
  t.equal(compared, 5);
  t.equal((refused ?? 0) + busy, 25);
  const right = await verifySecondFactorCode(app, {
    mfaToken,
    code: await generateUnusedTotpCode(app, secret),
  });
  t.ok(isProblem(right, 429, 'RATE_LIMITED'), 'also with the right code');
  t.ok(Number(right.headers['retry-after']) > 800);
});
