import { MOST_FAILURES } from '../../../src/features/accounts/failure-limits.ts';
import { PASSWORD, startApp, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import {
  firstStep,
  logIn,
  unusedCode,
  verify,
  withSecondFactor,
  wrongCode,
} from '../second-factor/helper.ts';
import { atOnce, entriesOf, isProblem, resetToken, sql, tally } from './helper.ts';

const WRONG = 'not the password at all';
const skipWaits = (app: TestApp) => sql(app, 'UPDATE login_delays SET next_allowed_at = now()');
const wholeBudget = (app: TestApp) => sql(app, 'DELETE FROM attempt_budgets');

/** Log-ins with a wrong password, none of which waits, until one is refused; how many were compared. */
async function guess(app: TestApp, email: string, more: object = {}): Promise<number> {
  for (let compared = 0; compared < 150; compared++) {
    await skipWaits(app);
    const { status } = await logIn(app, email, { password: WRONG, ...more });
    if (status === 429) return compared;
  }
  return 150;
}

/** The same with wrong codes of a second factor. */
async function guessCodes(
  app: TestApp,
  mfaToken: string,
  secret: string,
  more: object = {},
): Promise<number> {
  for (let compared = 0; compared < 150; compared++) {
    await wholeBudget(app);
    const { status } = await verify(app, { mfaToken, code: wrongCode(secret), ...more });
    if (status === 429) return compared;
  }
  return 150;
}

t.test('A11 never more than a hundred failures in a row are compared, over both factors', async (t) => {
  const { password, secondFactor } = MOST_FAILURES;
  t.ok(password.knownDevice + secondFactor.knownDevice <= 100);
  const app = await startApp(t);
  const person = await app.person();
  const { email } = person;
  const { secret, deviceToken } = await withSecondFactor(app, person);
  const mfaToken = await firstStep(app, email);
  let compared = await guess(app, email);
  t.equal(compared, password.unknownDevice);
  compared += await guess(app, email, { deviceToken });
  t.equal(compared, password.knownDevice, 'a stolen device token opens the last ones');
  compared += await guessCodes(app, mfaToken, secret);
  compared += await guessCodes(app, mfaToken, secret, { deviceToken });
  t.equal(compared, 100);
  t.equal((await entriesOf(app, 'LOGIN_FAILED', 'MFA_REJECTED')).length, 100);
  await sql(app, "UPDATE login_delays SET next_allowed_at = now() - interval '29 days'");
  t.ok(isProblem(await logIn(app, email), 429, 'RATE_LIMITED'), 'no wait makes them forgotten');
});

t.test('A11 sixty strangers’ failures close the password for them, not for the owner’s device', async (t) => {
  const app = await startApp(t);
  const { email, deviceToken } = await app.person();
  await guess(app, email);
  await skipWaits(app);
  const refused = await logIn(app, email);
  t.ok(isProblem(refused, 429, 'RATE_LIMITED'), 'the right password from a new device, too');
  t.match(refused.body.detail, /mailed link/);
  t.equal((await logIn(app, email, { deviceToken })).status, 200);
  await skipWaits(app);
  t.equal((await logIn(app, email)).status, 200, 'which ends the row');

  await guess(app, email);
  const token = await resetToken(app, email);
  await app.call('POST', '/api/auth/reset-password', { body: { token, password: PASSWORD } });
  t.equal((await logIn(app, email)).status, 200, 'and so does a new password by mail, without any wait');
});

t.test('A11 an address without an account is closed as one with it is', async (t) => {
  const app = await startApp(t);
  const { email } = await app.person();
  const seen: string[] = [];
  for (const address of [email, 'nobody@example.org']) {
    t.equal(await guess(app, address), MOST_FAILURES.password.unknownDevice, address);
    await skipWaits(app);
    const { status, body } = await logIn(app, address, { password: WRONG });
    seen.push(JSON.stringify({ status, ...body, requestId: '' }));
  }
  t.equal(new Set(seen).size, 1);
});

t.test('A11 tries that cost nothing do not wait for a time that was rounded up', async (t) => {
  const app = await startApp(t);
  const { email } = await app.person();
  const ahead = (failures: number) =>
    sql(app, `UPDATE login_delays SET failures = ${failures}, next_allowed_at = now() + interval '1 minute'`);
  await logIn(app, email, { password: WRONG });
  await ahead(9);
  t.equal((await logIn(app, email, { password: WRONG })).status, 401);
  await ahead(10);
  t.ok(isProblem(await logIn(app, email), 429, 'RATE_LIMITED'));
});

t.test('A11 the right password without the second factor makes no failure forgotten', async (t) => {
  const app = await startApp(t);
  const person = await app.person();
  const { email } = person;
  const { secret, deviceToken } = await withSecondFactor(app, person);
  await sql(app, 'DELETE FROM login_delays');
  for (let round = 0; round < 4; round++) {
    for (let count = 0; count < 2; count++) await logIn(app, email, { password: WRONG });
    const mfaToken = await firstStep(app, email);
    await wholeBudget(app);
    t.equal((await verify(app, { mfaToken, code: wrongCode(secret) })).status, 401);
  }
  t.match(await sql(app, 'SELECT failures, consecutive FROM login_delays'), [
    { failures: 8, consecutive: 8 },
  ]);
  t.match(await sql(app, 'SELECT wrong_codes FROM second_factors'), [{ wrong_codes: 4 }]);
  const mfaToken = await firstStep(app, email);
  await wholeBudget(app);
  const inside = await verify(app, { mfaToken, code: await unusedCode(app, secret), deviceToken });
  t.equal(inside.status, 200);
  t.match(await sql(app, 'SELECT failures, consecutive FROM login_delays'), [
    { failures: 8, consecutive: 0 },
  ]);
  t.match(await sql(app, 'SELECT wrong_codes FROM second_factors'), [{ wrong_codes: 0 }]);
});

t.test('A11 a thief with the password cannot keep the owner’s device from the second step', async (t) => {
  const app = await startApp(t);
  const person = await app.person();
  const { email } = person;
  const { secret, recoveryCodes, deviceToken } = await withSecondFactor(app, person);
  const theirs = await firstStep(app, email);
  const answers = await atOnce(20, () => verify(app, { mfaToken: theirs, code: wrongCode(secret) }));
  t.equal(tally(answers)[401], 5);
  const enter = async (more: object, proof: object) =>
    verify(app, { mfaToken: await firstStep(app, email, more), ...more, ...proof });
  const code = async () => ({ code: await unusedCode(app, secret) });
  t.equal((await enter({}, await code())).status, 429, 'a device that is not known waits');
  t.equal((await enter({ deviceToken }, await code())).status, 200, 'the owner’s does not');

  await guessCodes(app, theirs, secret);
  await wholeBudget(app);
  t.equal((await enter({}, await code())).status, 429, 'twenty wrong codes in a row');
  await wholeBudget(app);
  t.equal((await enter({ deviceToken }, await code())).status, 200);
  await guessCodes(app, theirs, secret);
  await wholeBudget(app);
  const recovered = await enter({}, { recoveryCode: recoveryCodes[0] });
  t.equal(recovered.status, 200, 'a recovery code opens without a known device');
  t.equal((await enter({}, await code())).status, 200, 'and ends the row');
});

t.test('A11 tries that had to wait use up nothing', async (t) => {
  const app = await startApp(t);
  const { email } = await app.person();
  await atOnce(40, () => logIn(app, email, { password: WRONG }));
  for (let count = 0; count < 40; count++) await logIn(app, email, { password: WRONG });
  const compared = (await entriesOf(app, 'LOGIN_FAILED')).length;
  t.match(await sql(app, 'SELECT consecutive FROM login_delays'), [{ consecutive: compared }]);
  t.ok(compared < 20, `${compared} compared`);
});
