import { startTestApp, TEST_PASSWORD, type TestResponse, type TestUser } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { enableSecondFactor, generateTotpCode, logInWithPassword } from '../second-factor/helper.ts';
import { findAuditEntries, isProblem, queryDatabase, requestResetToken, runConcurrently } from './helper.ts';
import { pauseNextPasswordCheck, pauseTransaction, waitForLock } from './paused-operations.ts';

const NEW = 'a quite different password';
const ROUNDS = 4;

const app = await startTestApp(t);
const root = await app.createUser({ role: 'ADMIN' });

const me = (answer: TestResponse) => app.call('GET', '/api/auth/me', { token: answer.body.accessToken });
const refresh = (refreshToken: string) =>
  app.call('POST', '/api/auth/refresh-token', { body: { refreshToken } });
const change = ({ accessToken: token }: Pick<TestUser, 'accessToken'>, newPassword = NEW) =>
  app.call('POST', '/api/auth/change-password', {
    token,
    body: { currentPassword: TEST_PASSWORD, newPassword },
  });
const reset = async ({ email }: TestUser) => {
  const token = await requestResetToken(app, email);
  return () => app.call('POST', '/api/auth/reset-password', { body: { token, password: NEW } });
};
const patch = (id: string, body: object) =>
  app.call('PATCH', `/api/admin/users/${id}`, { token: root.accessToken, body });

/** Repeat an operation while a loaded machine answers CONFLICT. */
async function runUncontended(work: () => Promise<TestResponse>): Promise<TestResponse> {
  for (;;) {
    const answer = await work();
    if (answer.status !== 503) return answer;
  }
}

/** Count the sessions of these responses that are still open, by access token or refresh token. */
async function countOpenSessions(answers: readonly TestResponse[]): Promise<number> {
  let count = 0;
  for (const answer of answers.filter(({ body }) => body?.accessToken)) {
    const [access, renewed] = [await me(answer), await refresh(answer.body.refreshToken)];
    if (access.status === 200 || renewed.status === 200) count++;
  }
  return count;
}

/** Run `work` while a login has compared the password but not completed. */
async function runInterleaved(user: TestUser, work: () => Promise<TestResponse>): Promise<TestResponse> {
  const passwordCheck = pauseNextPasswordCheck(app);
  const answer = logInWithPassword(app, user.email);
  await passwordCheck.paused;
  const done = await work();
  if (done.status !== 200) throw new Error(done.text);
  passwordCheck.release();
  return answer;
}

t.test('a login with the old password fails when a reset or change commits meanwhile', async (t) => {
  const user = await app.createUser();
  const denied = async () => (await findAuditEntries(app, 'LOGIN_FAILED')).length;
  const before = await denied();
  t.ok(isProblem(await runInterleaved(user, await reset(user)), 401, 'CREDENTIALS_INVALID'), 'reset');
  const other = await app.createUser();
  t.ok(isProblem(await runInterleaved(other, () => change(other)), 401, 'CREDENTIALS_INVALID'), 'change');
  t.equal(await denied(), before + 2, 'each has an audit entry');
});

t.test(
  'a login fails if a suspension commits meanwhile, but not if the suspension is lifted again',
  async (t) => {
    const user = await app.createUser();
    const late = await runInterleaved(user, () => patch(user.id, { status: 'SUSPENDED' }));
    t.ok(isProblem(late, 403, 'ACCOUNT_SUSPENDED'));
    await patch(user.id, { status: 'ACTIVE' });
    t.same(
      await queryDatabase(app, 'SELECT 1 FROM sessions WHERE user_id = $1 AND ended_at IS NULL', user.id),
      [],
    );
    const restored = await runInterleaved(user, async () => {
      await patch(user.id, { status: 'SUSPENDED' });
      return patch(user.id, { status: 'ACTIVE' });
    });
    t.equal(restored.status, 200, 'after restoration meanwhile the password is still valid');
  },
);

t.test('a login requires the second factor if it is switched on meanwhile', async (t) => {
  const user = await app.createUser();
  const token = user.accessToken;
  const { secret } = (
    await app.call('POST', '/api/auth/mfa/enroll', { token, body: { password: TEST_PASSWORD } })
  ).body;
  const answer = await runInterleaved(user, () =>
    app.call('POST', '/api/auth/mfa/confirm', { token, body: { code: generateTotpCode(secret) } }),
  );
  t.match(answer.body, { mfaRequired: true });
});

t.test('a login in parallel with ending all sessions leaves no open session', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const [one, two, three, four] = [
      await app.createUser(),
      await app.createUser(),
      await app.createUser(),
      await app.createUser(),
    ];
    const replace = await reset(one);
    const token = three.accessToken;
    const { secret } = (
      await app.call('POST', '/api/auth/mfa/enroll', { token, body: { password: TEST_PASSWORD } })
    ).body;
    for (const [name, user, work] of [
      ['reset', one, replace],
      ['change', two, () => change(two)],
      [
        'second factor',
        three,
        () => app.call('POST', '/api/auth/mfa/confirm', { token, body: { code: generateTotpCode(secret) } }),
      ],
      ['suspension', four, () => patch(four.id, { status: 'SUSPENDED' })],
    ] as const) {
      const [done, ...logIns] = await Promise.all([
        runUncontended(work),
        ...Array.from({ length: 6 }, () => logInWithPassword(app, user.email)),
      ]);
      t.equal(done?.status, 200, name);
      if (name === 'suspension') await patch(user.id, { status: 'ACTIVE' });
      t.equal(await countOpenSessions(logIns), 0, name);
    }
  }
});

t.test('a refresh in parallel with ending all sessions gives no valid session', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await app.createUser();
    const others = await runConcurrently(3, () => logInWithPassword(app, user.email));
    const [done, ...refreshed] = await Promise.all([
      runUncontended(() => change(user)),
      ...others.map(({ body }) => refresh(body.refreshToken)),
    ]);
    t.equal(done?.status, 200);
    t.equal(await countOpenSessions(refreshed), 0);
  }
  const user = await app.createUser();
  const ending = pauseTransaction(app, (tx) =>
    tx.session.updateMany({
      where: { userId: user.id },
      data: { endedAt: new Date(), endReason: 'SUSPENDED' },
    }),
  );
  await ending.paused;
  const late = refresh(user.refreshToken);
  await waitForLock(app, late);
  ending.release();
  await ending.done;
  t.ok(isProblem(await late, 401, 'REFRESH_TOKEN_INVALID'));
});

t.test('a password change fails when the owner’s reset commits meanwhile', async (t) => {
  const user = await app.createUser();
  const replace = await reset(user);
  const passwordCheck = pauseNextPasswordCheck(app);
  const attacker = change(user, 'the thief’s own long words');
  await passwordCheck.paused;
  t.equal((await replace()).status, 200);
  passwordCheck.release();
  t.ok(isProblem(await attacker, 401, 'UNAUTHENTICATED'), 'its session was ended');
  t.equal((await logInWithPassword(app, user.email, { password: 'the thief’s own long words' })).status, 401);
  t.equal((await logInWithPassword(app, user.email, { password: NEW })).status, 200);

  for (let round = 0; round < ROUNDS; round++) {
    const owner = await app.createUser();
    const replaceNow = await reset(owner);
    const [replaced, ...changes] = await Promise.all([
      runUncontended(replaceNow),
      ...Array.from({ length: 3 }, () => change(owner, 'the thief’s own long words')),
    ]);
    // The first of the two invalidates the link or ends the session.
    const successes = changes.filter(({ status }) => status === 200).length;
    t.equal(successes + Number(replaced.status === 200), 1, 'exactly one of them succeeds');
    const attackerLogin = await logInWithPassword(app, owner.email, {
      password: 'the thief’s own long words',
    });
    t.equal(attackerLogin.status, successes === 1 ? 200 : 401);
    t.equal(
      (await logInWithPassword(app, owner.email, { password: NEW })).status,
      successes === 1 ? 401 : 200,
    );
  }
});

t.test('only one of two parallel password changes in one session succeeds', async (t) => {
  const user = await app.createUser();
  const passwordCheck = pauseNextPasswordCheck(app);
  const late = change(user, 'the later of the two passwords');
  await passwordCheck.paused;
  t.equal((await change(user)).status, 200);
  passwordCheck.release();
  t.ok(isProblem(await late, 401, 'CREDENTIALS_INVALID'));
  t.equal((await logInWithPassword(app, user.email, { password: NEW })).status, 200);
});

t.test(
  'rehashing at login does not overwrite a new password and does not fail parallel logins',
  async (t) => {
    const { passwords } = app.services;
    const { needsRehash } = passwords;
    passwords.needsRehash = () => true;
    t.teardown(() => {
      passwords.needsRehash = needsRehash;
    });
    const user = await app.createUser();
    const replace = await reset(user);
    t.equal((await runInterleaved(user, replace)).status, 401);
    t.equal((await logInWithPassword(app, user.email, { password: NEW })).status, 200);

    const other = await app.createUser();
    const answers = await runConcurrently(6, () => runUncontended(() => logInWithPassword(app, other.email)));
    t.same(
      answers.map(({ status }) => status),
      Array(6).fill(200),
    );
    const passwordCheck = pauseNextPasswordCheck(app);
    const changing = change(other);
    await passwordCheck.paused;
    t.equal((await logInWithPassword(app, other.email)).status, 200);
    passwordCheck.release();
    t.equal((await changing).status, 200, 'a rehash meanwhile does not reject the change');
  },
);

t.test('a session that is ended meanwhile cannot change the second factor', async (t) => {
  const owner = await app.createUser();
  const token = owner.accessToken;
  const { secret } = (
    await app.call('POST', '/api/auth/mfa/enroll', { token, body: { password: TEST_PASSWORD } })
  ).body;
  const replace = await reset(owner);
  const lock = pauseTransaction(
    app,
    (tx) => tx.$queryRaw`SELECT 1 FROM second_factors WHERE user_id = ${owner.id} FOR UPDATE`,
  );
  await lock.paused;
  const attacker = app.call('POST', '/api/auth/mfa/confirm', {
    token,
    body: { code: generateTotpCode(secret) },
  });
  await waitForLock(app, attacker);
  t.equal((await replace()).status, 200);
  lock.release();
  await lock.done;
  t.ok(isProblem(await attacker, 401, 'UNAUTHENTICATED'));
  t.notOk((await logInWithPassword(app, owner.email, { password: NEW })).body.mfaRequired);
});

t.test('failed logins from other devices do not block a password change in an open session', async (t) => {
  const user = await app.createUser();
  for (let count = 0; count < 12; count++)
    await logInWithPassword(app, user.email, { password: 'wrong every time' });
  await queryDatabase(app, "UPDATE login_delays SET next_allowed_at = next_allowed_at + interval '1 minute'");
  t.equal((await logInWithPassword(app, user.email)).status, 429);
  t.equal((await change(user)).status, 200);
});

t.test('transactions that lock a user do not deadlock', async (t) => {
  const { lockUser } = await import('../../../../src/features/identity/accounts/user.repository.ts');
  const { lockSecondFactor } = await import(
    '../../../../src/features/identity/second-factor/second-factor.repository.ts'
  );
  const erased = await app.createUser();
  await enableSecondFactor(app, erased);
  const step = pauseTransaction(
    app,
    (tx) => lockSecondFactor(tx, erased.id),
    (tx) => lockUser(tx, erased.id),
  );
  await step.paused;
  const token = erased.accessToken;
  const erasing = app.call('DELETE', '/api/auth/account', { token, body: { password: TEST_PASSWORD } });
  await waitForLock(app, erasing);
  step.release();
  await step.done;
  t.equal((await erasing).status, 200, 'a second step in parallel with an erasure');

  const user = await app.createUser();
  const { recoveryCodes } = await enableSecondFactor(app, user);
  const first = pauseTransaction(
    app,
    (tx) => lockUser(tx, user.id),
    (tx) =>
      tx.pendingLogin.create({
        data: {
          tokenHash: Buffer.alloc(32, 7),
          userId: user.id,
          loginFingerprint: Buffer.alloc(32),
          expiresAt: new Date(Date.now() + 60_000),
        },
      }),
  );
  await first.paused;
  const off = app.call('DELETE', '/api/auth/mfa', {
    token: user.accessToken,
    body: { password: TEST_PASSWORD, recoveryCode: recoveryCodes[0] },
  });
  await waitForLock(app, off);
  first.release();
  await first.done;
  t.equal((await off).status, 200, 'a first step in parallel with removing the second factor');
});
