import { PASSWORD, startApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { atOnce, entriesOf, isProblem, mailsAfter, resetToken, sql, tally } from '../accounts/helper.ts';
import { codeOf, firstStep, logIn, unusedCode, verify, withSecondFactor, wrongCode } from './helper.ts';

t.test('A log-in with a second factor opens nothing before its code', async (t) => {
  const app = await startApp(t);
  const person = await app.person();
  const { email } = person;
  const { secret } = await withSecondFactor(app, person);
  const before = await app.database.client.session.count();
  const first = await logIn(app, email);
  t.equal(first.status, 200);
  t.equal(first.headers['cache-control'], 'no-store');
  t.same(Object.keys(first.body).sort(), ['expiresIn', 'mfaRequired', 'mfaToken']);
  t.equal(await app.database.client.session.count(), before, 'no session');
  const { mfaToken } = first.body;
  t.equal((await app.call('GET', '/api/auth/me', { token: mfaToken })).status, 401, 'no access token');
  const refresh = await app.call('POST', '/api/auth/refresh-token', { body: { refreshToken: mfaToken } });
  t.equal(refresh.status, 401, 'no refresh token');
  const device = await logIn(app, email, { deviceToken: mfaToken });
  t.ok(device.body.mfaRequired, 'no device token');

  const second = await verify(app, { mfaToken, code: await unusedCode(app, secret) });
  t.equal(second.status, 200);
  t.match(second.body, { accessToken: String, refreshToken: String, deviceToken: String, user: { email } });
  t.equal((await app.call('GET', '/api/auth/me', { token: second.body.accessToken })).status, 200);
  const again = await verify(app, { mfaToken, code: await unusedCode(app, secret) });
  t.ok(isProblem(again, 401, 'MFA_TOKEN_INVALID'), 'the token works once');
});

t.test('The code of a step is used once, by fifty parallel log-ins', async (t) => {
  const app = await startApp(t);
  const person = await app.person();
  const { secret, deviceToken } = await withSecondFactor(app, person);
  const code = await unusedCode(app, secret);
  const tokens: string[] = [];
  for (let count = 0; count < 10; count++) tokens.push(await firstStep(app, person.email));
  const answers = await atOnce(50, (index) =>
    verify(app, { mfaToken: tokens[index % 10], code, deviceToken }),
  );
  const counts = tally(answers);
  t.equal(counts[200], 1, JSON.stringify(counts));
  t.ok(
    answers.every(
      ({ status, body }) =>
        status === 200 || status === 429 || status === 401 || body.code === 'DATABASE_UNAVAILABLE',
    ),
    JSON.stringify(counts),
  );
  t.match(await entriesOf(app, 'MFA_VERIFIED'), { length: 1 });
  await sql(app, 'DELETE FROM attempt_budgets');
  const replay = await verify(app, { mfaToken: await firstStep(app, person.email), code });
  t.ok(isProblem(replay, 401, 'MFA_CODE_INVALID'), 'nor later');
});

t.test('A recovery code is used once, by fifty parallel log-ins', async (t) => {
  const app = await startApp(t);
  const person = await app.person();
  const { recoveryCodes } = await withSecondFactor(app, person);
  const recoveryCode = recoveryCodes[0]?.toUpperCase().replaceAll('-', ' ');
  const tokens: string[] = [];
  for (let count = 0; count < 10; count++) tokens.push(await firstStep(app, person.email));
  const mails = await mailsAfter(app, person.email, async () => {
    const answers = await atOnce(50, (index) => verify(app, { mfaToken: tokens[index % 10], recoveryCode }));
    t.equal(tally(answers)[200], 1, JSON.stringify(tally(answers)));
  });
  t.match(mails, [{ subject: 'A recovery code was used to log in', text: /Left: 9/ }]);
  t.match(await entriesOf(app, 'RECOVERY_CODE_USED'), { length: 1 });
  await sql(app, 'DELETE FROM attempt_budgets');
  const replay = await verify(app, { mfaToken: await firstStep(app, person.email), recoveryCode });
  t.ok(isProblem(replay, 401, 'MFA_CODE_INVALID'), 'nor later');
});

t.test('One log-in that waits becomes one session, whatever parallel proofs come', async (t) => {
  const app = await startApp(t);
  const person = await app.person();
  const { recoveryCodes } = await withSecondFactor(app, person);
  const mfaToken = await firstStep(app, person.email);
  const answers = await atOnce(5, (index) => verify(app, { mfaToken, recoveryCode: recoveryCodes[index] }));
  t.same(tally(answers), { 200: 1, 401: 4 });
  const left = await app.database.client.recoveryCode.count({ where: { usedAt: null } });
  t.equal(left, 9, 'and no proof is lost by it');
});

t.test('Codes of the step before and after are taken, those further off are not', async (t) => {
  const app = await startApp(t);
  const person = await app.person();
  const { secret } = await withSecondFactor(app, person);
  for (const [steps, status] of [
    [-1, 200],
    [1, 200],
    [-4, 401],
    [4, 401],
  ] as const) {
    await unusedCode(app, secret);
    const mfaToken = await firstStep(app, person.email);
    t.equal((await verify(app, { mfaToken, code: codeOf(secret, steps) })).status, status, `${steps} steps`);
  }
});

t.test(
  'A log-in that waits ends with its time, with a new password and with the second factor',
  async (t) => {
    const app = await startApp(t);
    const person = await app.person();
    const { email } = person;
    const { secret, recoveryCodes } = await withSecondFactor(app, person);
    const isDead = async (mfaToken: string, title: string) => {
      const answer = await verify(app, { mfaToken, code: await unusedCode(app, secret) });
      t.ok(isProblem(answer, 401, 'MFA_TOKEN_INVALID'), title);
    };
    await isDead('A'.repeat(43), 'one that nobody made');
    const late = await firstStep(app, email);
    await sql(app, "UPDATE pending_logins SET expires_at = now() - interval '1 second'");
    await isDead(late, 'expired');

    const changed = await firstStep(app, email);
    const password = 'a quite different password';
    const body = { currentPassword: PASSWORD, newPassword: password };
    await app.call('POST', '/api/auth/change-password', { token: person.accessToken, body });
    await isDead(changed, 'the password was changed');

    const reset = await firstStep(app, email, { password });
    const token = await resetToken(app, email);
    await app.call('POST', '/api/auth/reset-password', { body: { token, password: PASSWORD } });
    await isDead(reset, 'the password was replaced by a mailed link');
    t.match(
      (await logIn(app, email)).body,
      { mfaRequired: true },
      'which is no way around the second factor',
    );

    const mfaToken = await firstStep(app, email);
    const inside = await verify(app, { mfaToken, recoveryCode: recoveryCodes[0] });
    const waiting = await firstStep(app, email);
    await app.call('DELETE', '/api/auth/mfa', {
      token: inside.body.accessToken,
      body: { password: PASSWORD, recoveryCode: recoveryCodes[1] },
    });
    await isDead(waiting, 'the second factor was switched off');
  },
);

t.test('A suspended person is not let in by the second step either', async (t) => {
  const app = await startApp(t);
  const person = await app.person();
  const { secret } = await withSecondFactor(app, person);
  const mfaToken = await firstStep(app, person.email);
  await sql(app, "UPDATE users SET status = 'SUSPENDED' WHERE id = $1", person.id);
  const code = await unusedCode(app, secret);
  t.ok(isProblem(await verify(app, { mfaToken, code }), 403, 'ACCOUNT_SUSPENDED'));
});

t.test('A first step is worth nothing for somebody else', async (t) => {
  const app = await startApp(t);
  const [one, other] = [await app.person(), await app.person()];
  const mine = await withSecondFactor(app, one);
  const theirs = await withSecondFactor(app, other);
  await unusedCode(app, mine.secret);
  const mfaToken = await firstStep(app, other.email);
  t.equal((await verify(app, { mfaToken, code: codeOf(mine.secret) })).status, 401);
  t.equal((await verify(app, { mfaToken, recoveryCode: mine.recoveryCodes[0] })).status, 401);
  const own = await verify(app, { mfaToken, code: codeOf(theirs.secret) });
  t.equal(own.body.user.id, other.id);
});

t.test('A secret that was moved to another person opens nothing', async (t) => {
  const app = await startApp(t);
  const [one, other] = [await app.person(), await app.person()];
  const mine = await withSecondFactor(app, one);
  await withSecondFactor(app, other);
  await sql(
    app,
    'UPDATE second_factors SET secret = (SELECT secret FROM second_factors WHERE user_id = $1) WHERE user_id = $2',
    one.id,
    other.id,
  );
  const mfaToken = await firstStep(app, other.email);
  const answer = await verify(app, { mfaToken, code: await unusedCode(app, mine.secret) });
  t.ok(isProblem(answer, 500, 'DATA_INTEGRITY'));
  t.match(await entriesOf(app, 'DATA_INTEGRITY_FAILED'), [{ severity: 'CRITICAL' }]);
});

t.test('Five tries in a quarter of an hour, however many at once', async (t) => {
  const app = await startApp(t);
  const person = await app.person();
  const { secret } = await withSecondFactor(app, person);
  const mfaToken = await firstStep(app, person.email);
  const answers = await atOnce(30, () => verify(app, { mfaToken, code: wrongCode(secret) }));
  const { 401: compared, 429: refused, 503: busy = 0 } = tally(answers);
  t.equal(compared, 5);
  t.equal((refused ?? 0) + busy, 25);
  const right = await verify(app, { mfaToken, code: await unusedCode(app, secret) });
  t.ok(isProblem(right, 429, 'RATE_LIMITED'), 'the right one, too');
  t.ok(Number(right.headers['retry-after']) > 800);
});
