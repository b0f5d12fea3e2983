import { promote } from '../../../src/features/administration/change-administrators.ts';
import { type Answer, PASSWORD, type Person, startApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { codeOf, logIn, withSecondFactor } from '../second-factor/helper.ts';
import { holdNextPassword, holdTransaction, untilWaiting } from './held.ts';
import { atOnce, entriesOf, isProblem, resetToken, sql } from './helper.ts';

const NEW = 'a quite different password';
const ROUNDS = 4;

const app = await startApp(t);
const root = await app.person();
await promote(app.database, root.email);

const me = (answer: Answer) => app.call('GET', '/api/auth/me', { token: answer.body.accessToken });
const refresh = (refreshToken: string) =>
  app.call('POST', '/api/auth/refresh-token', { body: { refreshToken } });
const change = ({ accessToken: token }: Pick<Person, 'accessToken'>, newPassword = NEW) =>
  app.call('POST', '/api/auth/change-password', { token, body: { currentPassword: PASSWORD, newPassword } });
const reset = async ({ email }: Person) => {
  const token = await resetToken(app, email);
  return () => app.call('POST', '/api/auth/reset-password', { body: { token, password: NEW } });
};
const patch = (id: string, body: object) =>
  app.call('PATCH', `/api/admin/users/${id}`, { token: root.accessToken, body });

/** Does it again where a machine under load says so. */
async function undisturbed(work: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await work();
    if (answer.status !== 503) return answer;
  }
}

/** How many of these answers opened a session that is still open, by its access token or its refresh token. */
async function alive(answers: readonly Answer[]): Promise<number> {
  let count = 0;
  for (const answer of answers.filter(({ body }) => body?.accessToken)) {
    const [access, renewed] = [await me(answer), await refresh(answer.body.refreshToken)];
    if (access.status === 200 || renewed.status === 200) count++;
  }
  return count;
}

/** A log-in that has compared the password, while something else happens. */
async function overtaken(person: Person, work: () => Promise<Answer>): Promise<Answer> {
  const held = holdNextPassword(app);
  const answer = logIn(app, person.email);
  await held.reached;
  const done = await work();
  if (done.status !== 200) throw new Error(done.text);
  held.release();
  return answer;
}

t.test('A16 a log-in with the old password that a reset or a change overtakes opens nothing', async (t) => {
  const person = await app.person();
  const denied = async () => (await entriesOf(app, 'LOGIN_FAILED')).length;
  const before = await denied();
  t.ok(isProblem(await overtaken(person, await reset(person)), 401, 'CREDENTIALS_INVALID'), 'reset');
  const other = await app.person();
  t.ok(isProblem(await overtaken(other, () => change(other)), 401, 'CREDENTIALS_INVALID'), 'change');
  t.equal(await denied(), before + 2, 'each has its entry');
});

t.test('D1 a log-in that a suspension overtakes opens nothing, nor after the restoration', async (t) => {
  const person = await app.person();
  const late = await overtaken(person, () => patch(person.id, { status: 'SUSPENDED' }));
  t.ok(isProblem(late, 403, 'ACCOUNT_SUSPENDED'));
  await patch(person.id, { status: 'ACTIVE' });
  t.same(await sql(app, 'SELECT 1 FROM sessions WHERE user_id = $1 AND ended_at IS NULL', person.id), []);
  const restored = await overtaken(person, async () => {
    await patch(person.id, { status: 'SUSPENDED' });
    return patch(person.id, { status: 'ACTIVE' });
  });
  t.equal(restored.status, 200, 'who is restored meanwhile is let in: the password is still theirs');
});

t.test('A log-in that switching the second factor on overtakes is asked for it', async (t) => {
  const person = await app.person();
  const token = person.accessToken;
  const { secret } = (await app.call('POST', '/api/auth/mfa/enroll', { token, body: { password: PASSWORD } }))
    .body;
  const answer = await overtaken(person, () =>
    app.call('POST', '/api/auth/mfa/confirm', { token, body: { code: codeOf(secret) } }),
  );
  t.match(answer.body, { mfaRequired: true });
});

t.test('A16 of log-ins beside what ends all sessions none stays open', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const [one, two, three, four] = [
      await app.person(),
      await app.person(),
      await app.person(),
      await app.person(),
    ];
    const replace = await reset(one);
    const token = three.accessToken;
    const { secret } = (
      await app.call('POST', '/api/auth/mfa/enroll', { token, body: { password: PASSWORD } })
    ).body;
    for (const [name, person, work] of [
      ['reset', one, replace],
      ['change', two, () => change(two)],
      [
        'second factor',
        three,
        () => app.call('POST', '/api/auth/mfa/confirm', { token, body: { code: codeOf(secret) } }),
      ],
      ['suspension', four, () => patch(four.id, { status: 'SUSPENDED' })],
    ] as const) {
      const [done, ...logIns] = await Promise.all([
        undisturbed(work),
        ...Array.from({ length: 6 }, () => logIn(app, person.email)),
      ]);
      t.equal(done?.status, 200, name);
      if (name === 'suspension') await patch(person.id, { status: 'ACTIVE' });
      t.equal(await alive(logIns), 0, name);
    }
  }
});

t.test('A13 a refresh under way while all sessions are ended gives no living session', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const person = await app.person();
    const others = await atOnce(3, () => logIn(app, person.email));
    const [done, ...refreshed] = await Promise.all([
      undisturbed(() => change(person)),
      ...others.map(({ body }) => refresh(body.refreshToken)),
    ]);
    t.equal(done?.status, 200);
    t.equal(await alive(refreshed), 0);
  }
  const person = await app.person();
  const ending = holdTransaction(app, (tx) =>
    tx.session.updateMany({
      where: { userId: person.id },
      data: { endedAt: new Date(), endReason: 'SUSPENDED' },
    }),
  );
  await ending.reached;
  const late = refresh(person.refreshToken);
  await untilWaiting(app, late);
  ending.release();
  await ending.done;
  t.ok(isProblem(await late, 401, 'REFRESH_TOKEN_INVALID'));
});

t.test('A16 a change of the password that the owner’s reset overtakes changes nothing', async (t) => {
  const person = await app.person();
  const replace = await reset(person);
  const held = holdNextPassword(app);
  const thief = change(person, 'the thief’s own long words');
  await held.reached;
  t.equal((await replace()).status, 200);
  held.release();
  t.ok(isProblem(await thief, 401, 'UNAUTHENTICATED'), 'its session was ended');
  t.equal((await logIn(app, person.email, { password: 'the thief’s own long words' })).status, 401);
  t.equal((await logIn(app, person.email, { password: NEW })).status, 200);

  for (let round = 0; round < ROUNDS; round++) {
    const owner = await app.person();
    const replaceNow = await reset(owner);
    const [replaced, ...changes] = await Promise.all([
      undisturbed(replaceNow),
      ...Array.from({ length: 3 }, () => change(owner, 'the thief’s own long words')),
    ]);
    // Whichever is first voids the link, or ends the session.
    const made = changes.filter(({ status }) => status === 200).length;
    t.equal(made + Number(replaced.status === 200), 1, 'one of them is made');
    const theirs = await logIn(app, owner.email, { password: 'the thief’s own long words' });
    t.equal(theirs.status, made === 1 ? 200 : 401);
    t.equal((await logIn(app, owner.email, { password: NEW })).status, made === 1 ? 401 : 200);
  }
});

t.test('Of changes of one password in one session a single one is made', async (t) => {
  const person = await app.person();
  const held = holdNextPassword(app);
  const late = change(person, 'the later of the two passwords');
  await held.reached;
  t.equal((await change(person)).status, 200);
  held.release();
  t.ok(isProblem(await late, 401, 'CREDENTIALS_INVALID'));
  t.equal((await logIn(app, person.email, { password: NEW })).status, 200);
});

t.test(
  'A password that a log-in hashes anew overwrites none that was replaced, and parallel ones get in',
  async (t) => {
    const { passwords } = app.services;
    const { needsRehash } = passwords;
    passwords.needsRehash = () => true;
    t.teardown(() => {
      passwords.needsRehash = needsRehash;
    });
    const person = await app.person();
    const replace = await reset(person);
    t.equal((await overtaken(person, replace)).status, 401);
    t.equal((await logIn(app, person.email, { password: NEW })).status, 200);

    const other = await app.person();
    const answers = await atOnce(6, () => undisturbed(() => logIn(app, other.email)));
    t.same(
      answers.map(({ status }) => status),
      Array(6).fill(200),
    );
    const held = holdNextPassword(app);
    const changing = change(other);
    await held.reached;
    t.equal((await logIn(app, other.email)).status, 200);
    held.release();
    t.equal((await changing).status, 200, 'a change is not refused by a form that is newer');
  },
);

t.test('A16 a session that was ended meanwhile changes no second factor', async (t) => {
  const owner = await app.person();
  const token = owner.accessToken;
  const { secret } = (await app.call('POST', '/api/auth/mfa/enroll', { token, body: { password: PASSWORD } }))
    .body;
  const replace = await reset(owner);
  const lock = holdTransaction(
    app,
    (tx) => tx.$queryRaw`SELECT 1 FROM second_factors WHERE user_id = ${owner.id} FOR UPDATE`,
  );
  await lock.reached;
  const thief = app.call('POST', '/api/auth/mfa/confirm', { token, body: { code: codeOf(secret) } });
  await untilWaiting(app, thief);
  t.equal((await replace()).status, 200);
  lock.release();
  await lock.done;
  t.ok(isProblem(await thief, 401, 'UNAUTHENTICATED'));
  t.notOk((await logIn(app, owner.email, { password: NEW })).body.mfaRequired);
});

t.test(
  'A11 wrong log-ins from outside keep nobody from changing the password in an open session',
  async (t) => {
    const person = await app.person();
    for (let count = 0; count < 12; count++) await logIn(app, person.email, { password: 'wrong every time' });
    await sql(app, "UPDATE login_delays SET next_allowed_at = next_allowed_at + interval '1 minute'");
    t.equal((await logIn(app, person.email)).status, 429);
    t.equal((await change(person)).status, 200);
  },
);

t.test('Nothing that locks a person waits in a circle', async (t) => {
  const { lockUser } = await import('../../../src/features/accounts/user.repository.ts');
  const { lockSecondFactor } = await import(
    '../../../src/features/second-factor/second-factor.repository.ts'
  );
  const erased = await app.person();
  await withSecondFactor(app, erased);
  const step = holdTransaction(
    app,
    (tx) => lockSecondFactor(tx, erased.id),
    (tx) => lockUser(tx, erased.id),
  );
  await step.reached;
  const token = erased.accessToken;
  const erasing = app.call('DELETE', '/api/auth/account', { token, body: { password: PASSWORD } });
  await untilWaiting(app, erasing);
  step.release();
  await step.done;
  t.equal((await erasing).status, 200, 'a second step beside an erasure');

  const person = await app.person();
  const { recoveryCodes } = await withSecondFactor(app, person);
  const first = holdTransaction(
    app,
    (tx) => lockUser(tx, person.id),
    (tx) =>
      tx.pendingLogin.create({
        data: {
          tokenHash: Buffer.alloc(32, 7),
          userId: person.id,
          passwordState: Buffer.alloc(32),
          expiresAt: new Date(Date.now() + 60_000),
        },
      }),
  );
  await first.reached;
  const off = app.call('DELETE', '/api/auth/mfa', {
    token: person.accessToken,
    body: { password: PASSWORD, recoveryCode: recoveryCodes[0] },
  });
  await untilWaiting(app, off);
  first.release();
  await first.done;
  t.equal((await off).status, 200, 'a first step beside the end of the second factor');
});
