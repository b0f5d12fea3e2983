import { MAX_CONSECUTIVE_LOGIN_FAILURES } from '../../../../src/features/identity/accounts/consecutive-failure-limits.ts';
import { startTestApp, TEST_PASSWORD, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  enableSecondFactor,
  generateUnusedTotpCode,
  generateWrongTotpCode,
  getMfaToken,
  logInWithPassword,
  verifySecondFactorCode,
} from '../second-factor/helper.ts';
import {
  countStatuses,
  findAuditEntries,
  isProblem,
  queryDatabase,
  requestResetToken,
  runConcurrently,
} from './helper.ts';

const WRONG_PASSWORD = 'not the password at all';
const resetLoginDelays = (app: TestApp) =>
  queryDatabase(app, 'UPDATE login_delays SET next_allowed_at = now()');
/** Of the address, then of its network. */
const readFailures = (app: TestApp) =>
  queryDatabase(app, 'SELECT failures, consecutive_failures FROM login_delays ORDER BY key');
const deleteBudgets = (app: TestApp) => queryDatabase(app, 'DELETE FROM attempt_budgets');

/** Log in with wrong passwords without delays until one is rejected; return how many were compared. */
async function countComparedPasswords(app: TestApp, email: string, more: object = {}): Promise<number> {
  for (let compared = 0; compared < 150; compared++) {
    await resetLoginDelays(app);
    const { status } = await logInWithPassword(app, email, { password: WRONG_PASSWORD, ...more });
    if (status === 429) return compared;
  }
  return 150;
}

async function countComparedCodes(
  app: TestApp,
  mfaToken: string,
  secret: string,
  more: object = {},
): Promise<number> {
  for (let compared = 0; compared < 150; compared++) {
    await deleteBudgets(app);
    const { status } = await verifySecondFactorCode(app, {
      mfaToken,
      code: generateWrongTotpCode(secret),
      ...more,
    });
    if (status === 429) return compared;
  }
  return 150;
}

t.test('at most 100 wrong passwords and codes in a row are compared, over both factors', async (t) => {
  const { password, secondFactor } = MAX_CONSECUTIVE_LOGIN_FAILURES;
  t.ok(password.unknownDevice + password.knownDevice + secondFactor.knownDevice <= 100);
  const app = await startTestApp(t);
  const user = await app.createUser();
  const { email } = user;
  const { secret, deviceToken } = await enableSecondFactor(app, user);
  const mfaToken = await getMfaToken(app, email);
  let compared = await countComparedPasswords(app, email);
  t.equal(compared, password.unknownDevice);
  compared += await countComparedPasswords(app, email, { deviceToken });
  t.equal(
    compared,
    password.unknownDevice + password.knownDevice,
    'a stolen device token has attempts of its own',
  );
  const codes = await countComparedCodes(app, mfaToken, secret);
  t.equal(codes, 20, 'of unknown devices');
  compared += codes;
  compared += await countComparedCodes(app, mfaToken, secret, { deviceToken });
  t.equal(compared, 100);
  t.equal((await findAuditEntries(app, 'LOGIN_FAILED', 'MFA_REJECTED')).length, 100);
  await queryDatabase(app, "UPDATE login_delays SET next_allowed_at = now() - interval '29 days'");
  t.ok(
    isProblem(await logInWithPassword(app, email), 429, 'RATE_LIMITED'),
    'waiting does not reset the count',
  );
});

t.test('fifty failures from unknown devices lock out their network, not the owner’s device', async (t) => {
  const app = await startTestApp(t);
  const { email, deviceToken } = await app.createUser();
  await countComparedPasswords(app, email);
  await resetLoginDelays(app);
  const refused = await logInWithPassword(app, email);
  t.ok(isProblem(refused, 429, 'RATE_LIMITED'), 'also with the right password from a new device');
  t.match(refused.body.detail, /mailed link/);
  t.equal((await logInWithPassword(app, email, { deviceToken })).status, 200);
  await resetLoginDelays(app);
  t.equal((await logInWithPassword(app, email)).status, 429, 'a login of the owner gives them no attempts');

  await countComparedPasswords(app, email);
  const token = await requestResetToken(app, email);
  await app.call('POST', '/api/auth/reset-password', { body: { token, password: TEST_PASSWORD } });
  t.equal(
    (await logInWithPassword(app, email)).status,
    200,
    'a password reset by mail resets the count, without any wait',
  );
});

t.test('an address without an account is locked in the same way as one with an account', async (t) => {
  const app = await startTestApp(t);
  const { email } = await app.createUser();
  const responses: string[] = [];
  for (const address of [email, 'nobody@example.org']) {
    t.equal(
      await countComparedPasswords(app, address),
      MAX_CONSECUTIVE_LOGIN_FAILURES.password.unknownDevice,
      address,
    );
    await resetLoginDelays(app);
    const { status, body } = await logInWithPassword(app, address, { password: WRONG_PASSWORD });
    responses.push(JSON.stringify({ status, ...body, requestId: '' }));
  }
  t.equal(new Set(responses).size, 1);
});

t.test('attempts below the limit do not wait, even if a delay is stored', async (t) => {
  const app = await startTestApp(t);
  const { email } = await app.createUser();
  const ahead = (failures: number) =>
    queryDatabase(
      app,
      `UPDATE login_delays SET failures = ${failures}, next_allowed_at = now() + interval '1 minute'`,
    );
  await logInWithPassword(app, email, { password: WRONG_PASSWORD });
  await ahead(9);
  t.equal((await logInWithPassword(app, email, { password: WRONG_PASSWORD })).status, 401);
  await ahead(10);
  t.ok(isProblem(await logInWithPassword(app, email), 429, 'RATE_LIMITED'));
});

t.test('the right password without the second factor does not reset the failure count', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const { email } = user;
  const { secret, deviceToken } = await enableSecondFactor(app, user);
  await queryDatabase(app, 'DELETE FROM login_delays');
  for (let round = 0; round < 4; round++) {
    for (let count = 0; count < 2; count++) await logInWithPassword(app, email, { password: WRONG_PASSWORD });
    const mfaToken = await getMfaToken(app, email);
    await deleteBudgets(app);
    t.equal(
      (await verifySecondFactorCode(app, { mfaToken, code: generateWrongTotpCode(secret) })).status,
      401,
    );
  }
  t.match(await readFailures(app), [
    { failures: 0, consecutive_failures: 8 },
    { failures: 8, consecutive_failures: 8 },
  ]);
  t.match(await queryDatabase(app, 'SELECT wrong_codes FROM second_factors'), [{ wrong_codes: 4 }]);
  const mfaToken = await getMfaToken(app, email);
  await deleteBudgets(app);
  const ownerLogin = await verifySecondFactorCode(app, {
    mfaToken,
    code: await generateUnusedTotpCode(app, secret),
    deviceToken,
  });
  t.equal(ownerLogin.status, 200);
  t.match(await readFailures(app), [
    { failures: 0, consecutive_failures: 0 },
    { failures: 8, consecutive_failures: 8 },
  ]);
  t.match(await queryDatabase(app, 'SELECT wrong_codes FROM second_factors'), [{ wrong_codes: 0 }]);
});

t.test('an attacker with the password cannot block the second step on the owner’s device', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const { email } = user;
  const { secret, recoveryCodes, deviceToken } = await enableSecondFactor(app, user);
  const attackerToken = await getMfaToken(app, email);
  const answers = await runConcurrently(20, () =>
    verifySecondFactorCode(app, { mfaToken: attackerToken, code: generateWrongTotpCode(secret) }),
  );
  t.equal(countStatuses(answers)[401], 5);
  const enter = async (more: object, proof: object) =>
    verifySecondFactorCode(app, { mfaToken: await getMfaToken(app, email, more), ...more, ...proof });
  const code = async () => ({ code: await generateUnusedTotpCode(app, secret) });
  t.equal((await enter({}, await code())).status, 429, 'an unknown device waits');
  t.equal((await enter({ deviceToken }, await code())).status, 200, 'the owner’s device does not wait');

  await countComparedCodes(app, attackerToken, secret);
  await deleteBudgets(app);
  t.equal((await enter({}, await code())).status, 429, 'twenty wrong codes in a row');
  await deleteBudgets(app);
  t.equal((await enter({ deviceToken }, await code())).status, 200);
  await countComparedCodes(app, attackerToken, secret);
  await deleteBudgets(app);
  const recovered = await enter({}, { recoveryCode: recoveryCodes[0] });
  t.equal(recovered.status, 200, 'a recovery code works from an unknown device');
  t.equal((await enter({}, await code())).status, 200, 'a recovery code resets the count');
});

t.test('delayed attempts do not count as failures', async (t) => {
  const app = await startTestApp(t);
  const { email } = await app.createUser();
  await runConcurrently(40, () => logInWithPassword(app, email, { password: WRONG_PASSWORD }));
  for (let count = 0; count < 40; count++) await logInWithPassword(app, email, { password: WRONG_PASSWORD });
  const compared = (await findAuditEntries(app, 'LOGIN_FAILED')).length;
  t.match(await readFailures(app), [{ consecutive_failures: compared }, { consecutive_failures: compared }]);
  t.ok(compared < 20, `${compared} compared`);
});
