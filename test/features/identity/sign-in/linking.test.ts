import { TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  createProfileForm,
  createTestPhoto,
  findAuditEntries,
  isProblem,
  listMailsCausedBy,
  listStoredPictures,
  queryDatabase,
  registerAndGetOtp,
  runConcurrently,
} from '../accounts/helper.ts';
import { exchangeCode, getFragmentParameter, isErrorRedirect, startSignInApp } from './helper.ts';

const app = await startSignInApp(t);
const { call, database } = app;

t.test(
  'a foreign registration of an address is cleared when its owner signs in with the provider',
  async (t) => {
    const email = 'victim@example.org';
    const attacker = createProfileForm(
      { email, password: TEST_PASSWORD, firstName: 'Mallory', lastName: 'Planted', phone: '+49 30 1234567' },
      await createTestPhoto(),
    );
    await call('POST', '/api/auth/register', { body: attacker.body, headers: attacker.headers });
    const otp = await app.getOtp(email);
    await registerAndGetOtp(app, email, 'another password of the attacker');
    // Data that other paths could have left is removed as well.
    const user = await database.client.user.findUniqueOrThrow({ where: { email } });
    const picture = 'profile-1795261875110-123456789.png';
    const { writeFile } = await import('node:fs/promises');
    await writeFile(`${app.dataDir}/uploads/profile-pictures/${picture}`, await createTestPhoto());
    await queryDatabase(
      app,
      "UPDATE users SET password_hash = 'p1:planted', first_name = 'Mallory', phone = '\\x00', profile_picture = $2 WHERE id = $1",
      user.id,
      picture,
    );
    await queryDatabase(
      app,
      "INSERT INTO sessions (id, user_id, ip, user_agent, expires_at) VALUES ('0123456789abcdef01234567', $1, '192.0.2.1', 'planted', now() + interval '1 day')",
      user.id,
    );

    const tokens = await app.signIn({ sub: 'victim', email, given_name: 'Vera' });
    t.match(tokens.body.user, {
      id: user.id,
      email,
      status: 'VERIFIED',
      firstName: 'Vera',
      lastName: null,
      phone: null,
      profilePictureUrl: null,
    });
    t.equal(await database.client.pendingRegistration.count({ where: { userId: user.id } }), 0);
    t.same(await listStoredPictures(app), []);
    t.match(await queryDatabase(app, "SELECT end_reason FROM sessions WHERE user_agent = 'planted'"), [
      { end_reason: 'IDENTITY_LINKED' },
    ]);
    for (const password of [TEST_PASSWORD, 'another password of the attacker']) {
      t.ok(
        isProblem(
          await call('POST', '/api/auth/login', { body: { email, password } }),
          401,
          'CREDENTIALS_INVALID',
        ),
      );
    }
    t.ok(isProblem(await call('POST', '/api/auth/verify-otp', { body: { email, otp } }), 400, 'OTP_INVALID'));
    t.equal((await findAuditEntries(app, 'UNVERIFIED_ACCOUNT_CLEARED')).length, 1);
    await registerAndGetOtp(app, email, 'a third password');
    t.equal(
      (await call('POST', '/api/auth/login', { body: { email, password: 'a third password' } })).status,
      401,
    );
  },
);

t.test(
  'a verified account is linked by an address the provider verified, and its owner gets a mail',
  async (t) => {
    const { email, accessToken, id } = await app.createUser();
    t.ok(
      isErrorRedirect(await app.authorize({ sub: 'p1', email, email_verified: false }), 'email_not_verified'),
    );
    t.equal(
      await database.client.userIdentity.count({ where: { userId: id } }),
      0,
      'not by an unverified address',
    );
    const mails = await listMailsCausedBy(app, email, () =>
      app.signIn({ sub: 'p1', email: email.toUpperCase(), given_name: 'Other' }),
    );
    t.match(mails, [
      { subject: /^You can now sign in with 127\.0\.0\.1:\d+$/, text: /linked to 127\.0\.0\.1:\d+/ },
    ]);
    t.match(
      (await call('GET', '/api/auth/me', { token: accessToken })).body.user,
      { firstName: 'Ada', status: 'ACTIVE' },
      'its session and names stay',
    );
    t.equal(
      (await call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD } })).status,
      200,
    );
    const again = await listMailsCausedBy(app, email, () => app.signIn({ sub: 'p1', email }));
    t.same(again, [], 'no second mail');
  },
);

t.test('an address that is not the same to the letter does not sign in as another', async (t) => {
  await app.createUser({ email: 'kate@example.org' });
  for (const other of [' kate@example.org', 'kate@example.org\n', 'kate@example.org '])
    t.ok(isErrorRedirect(await app.authorize({ sub: 'blank', email: other }), 'email_not_verified'), other);
  await app.createUser({ email: 'kate@book.example' });
  // Full-width dot, Kelvin sign, ideographic dot, full-width letters.
  for (const domain of ['book\uff0eexample', 'boo\u212a.example', 'book\u3002example', '\uff42ook.example'])
    t.ok(isErrorRedirect(await app.authorize({ sub: 'dot', email: `kate@${domain}` }), 'email_not_verified'));
  const email = '\u212aate@example.org';
  t.ok(isErrorRedirect(await app.authorize({ sub: 'kelvin', email }), 'email_not_verified'));
  const idToken = app.provider.tokenOf({ sub: 'kelvin', email });
  t.ok(
    isProblem(
      await call('POST', '/api/auth/google/token', { body: { idToken } }),
      403,
      'IDENTITY_NOT_VERIFIED',
    ),
  );
});

t.test('another subject cannot sign in, even if the provider gives it the same address', async (t) => {
  const { email } = await app.createUser();
  t.equal((await app.signIn({ sub: 'former-owner', email })).status, 200);
  const trail = (await findAuditEntries(app, 'IDENTITY_SIGN_IN_REJECTED')).length;
  t.ok(isErrorRedirect(await app.authorize({ sub: 'new-owner', email }), 'identity_conflict'));
  t.equal((await findAuditEntries(app, 'IDENTITY_SIGN_IN_REJECTED')).length, trail + 1);
  const idToken = app.provider.tokenOf({ sub: 'new-owner', email });
  t.ok(
    isProblem(await call('POST', '/api/auth/google/token', { body: { idToken } }), 409, 'IDENTITY_CONFLICT'),
  );
});

t.test(
  'ten parallel first sign-ins create one account, as do a parallel registration and sign-in',
  async (t) => {
    const claims = { sub: 'eager', email: 'eager@example.org' };
    const answers = await runConcurrently(10, () => app.authorize(claims));
    t.equal(answers.filter((answer) => getFragmentParameter(answer, 'code')).length, 10);
    t.equal(await database.client.user.count({ where: { email: claims.email } }), 1);
    t.equal(await database.client.userIdentity.count({ where: { subject: 'eager' } }), 1);

    const email = 'racing@example.org';
    await Promise.all([
      call('POST', '/api/auth/register', { body: { email, password: TEST_PASSWORD } }),
      app.authorize({ sub: 'racing', email }),
      call('POST', '/api/auth/register', { body: { email, password: TEST_PASSWORD } }),
    ]);
    t.match(await queryDatabase(app, 'SELECT status, password_hash FROM users WHERE email = $1', email), [
      { status: 'VERIFIED', password_hash: null },
    ]);
    t.equal(
      (await call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD } })).status,
      401,
    );
  },
);

t.test('names from the provider that could not be entered are ignored', async (t) => {
  const odd = { given_name: 'A\u202eB', family_name: 'x'.repeat(101) };
  const tokens = await app.signIn({ sub: 'odd', email: 'odd@example.org', ...odd });
  t.match(tokens.body.user, { firstName: null, lastName: null });
  const typed = await app.signIn({
    sub: 'typed',
    email: 'typed@example.org',
    given_name: { a: 1 },
    family_name: 7,
  });
  t.match(typed.body.user, { firstName: null, lastName: null });
});

t.test('no data of a sign-in appears in the log or the audit trail', async (t) => {
  const answer = await app.authorize({
    sub: 'canary-subject',
    email: 'canary@example.org',
    given_name: 'Canaria',
  });
  const code = getFragmentParameter(answer, 'code');
  const tokens = (await exchangeCode(app, answer)).body;
  const remainingData = [
    app.log.join('\n'),
    JSON.stringify(await queryDatabase(app, 'SELECT * FROM audit_entries')),
  ].join('\n');
  for (const canary of [
    'canary-subject',
    'canary@example.org',
    'Canaria',
    code,
    tokens.accessToken,
    tokens.refreshToken,
  ]) {
    t.notOk(remainingData.includes(canary));
  }
});
