import { createDeviceToken } from '../../../../src/features/identity/accounts/device-token.ts';
import { LIFETIMES_SECONDS } from '../../../../src/shared/lifetimes.ts';
import { startTestApp, TEST_PASSWORD, type TestUser } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { eraseAccountOf } from '../../personal-data/helper.ts';
import { enableSecondFactor, logInWithPassword } from '../second-factor/helper.ts';
import { isProblem, queryDatabase, requestResetToken } from './helper.ts';

const NEW = 'a quite different password';

const app = await startTestApp(t);
const root = await app.createUser({ role: 'ADMIN' });

/** Known devices do not wait for the failures of others. */
async function isKnownDevice(email: string, deviceToken: string, password = TEST_PASSWORD): Promise<boolean> {
  await logInWithPassword(app, email, { password: 'wrong every time' });
  await queryDatabase(
    app,
    "UPDATE login_delays SET failures = 10, next_allowed_at = now() + interval '1 minute' WHERE key LIKE 'network:%'",
  );
  const answer = await logInWithPassword(app, email, { password, deviceToken });
  await queryDatabase(app, 'DELETE FROM login_delays');
  if (answer.status !== 200 && !isProblem(answer, 429, 'RATE_LIMITED')) throw new Error(answer.text);
  return answer.status === 200;
}

const enroll = (createUser: TestUser) => enableSecondFactor(app, createUser);

t.test(
  'a new password invalidates device tokens, and the device that changed it gets a new one',
  async (t) => {
    const createUser = await app.createUser();
    const stolen = (await logInWithPassword(app, createUser.email)).body.deviceToken;
    t.ok(await isKnownDevice(createUser.email, stolen));
    const changed = await app.call('POST', '/api/auth/change-password', {
      token: createUser.accessToken,
      body: { currentPassword: TEST_PASSWORD, newPassword: NEW },
    });
    t.notOk(await isKnownDevice(createUser.email, stolen, NEW), 'change');
    t.ok(await isKnownDevice(createUser.email, changed.body.deviceToken, NEW));

    const token = await requestResetToken(app, createUser.email);
    await app.call('POST', '/api/auth/reset-password', { body: { token, password: TEST_PASSWORD } });
    t.notOk(await isKnownDevice(createUser.email, changed.body.deviceToken), 'reset');
  },
);

t.test('device tokens become invalid when the second factor changes', async (t) => {
  const createUser = await app.createUser();
  const { recoveryCodes, deviceToken } = await enroll(createUser);
  t.notOk(await isKnownDevice(createUser.email, createUser.deviceToken), 'on');
  t.ok(await isKnownDevice(createUser.email, deviceToken));
  const off = await app.call('DELETE', '/api/auth/mfa', {
    token: createUser.accessToken,
    body: { password: TEST_PASSWORD, recoveryCode: recoveryCodes[0] },
  });
  t.notOk(await isKnownDevice(createUser.email, deviceToken), 'off');
  t.ok(await isKnownDevice(createUser.email, off.body.deviceToken));
});

t.test(
  'device tokens become invalid when an administrator ends sessions, suspends or removes a second factor',
  async (t) => {
    const admin = (method: string, path: string, body?: object) =>
      app.call(method, `/api/admin/users/${path}`, { token: root.accessToken, body });
    const createUser = await app.createUser();
    await admin('DELETE', `${createUser.id}/sessions`);
    t.notOk(await isKnownDevice(createUser.email, createUser.deviceToken), 'logged out everywhere');

    const { deviceToken } = (await logInWithPassword(app, createUser.email)).body;
    await admin('PATCH', createUser.id, { status: 'SUSPENDED' });
    await admin('PATCH', createUser.id, { status: 'ACTIVE' });
    t.notOk(await isKnownDevice(createUser.email, deviceToken), 'suspended and restored');

    const other = await app.createUser();
    const enrolled = await enroll(other);
    await admin('DELETE', `${other.id}/second-factor`);
    t.notOk(await isKnownDevice(other.email, enrolled.deviceToken), 'second factor removed');
  },
);

t.test('logging out of one session keeps device tokens', async (t) => {
  const createUser = await app.createUser();
  await app.call('POST', '/api/auth/logout', { token: createUser.accessToken });
  t.ok(await isKnownDevice(createUser.email, createUser.deviceToken));
});

t.test('a device token expires, and its expiry cannot be changed', async (t) => {
  const { id, email } = await app.createUser();
  const { fieldCipher } = app.services;
  const owner = { id, accessEpoch: 0 };
  const life = LIFETIMES_SECONDS.deviceToken * 1000;
  const past = createDeviceToken(fieldCipher, owner, Date.now() - life - 1000);
  t.notOk(await isKnownDevice(email, past));
  t.ok(await isKnownDevice(email, createDeviceToken(fieldCipher, owner, Date.now() - life + 60_000)));
  const [device, end, signature] = past.split('.');
  t.notOk(await isKnownDevice(email, `${device}.${Number(end) + 60_000}.${signature}`));
});

t.test('the device token of an erased account is invalid for a new account with its address', async (t) => {
  const createUser = await app.createUser();
  t.equal((await eraseAccountOf(app, createUser)).status, 200);
  const next = await app.createUser({ email: createUser.email });
  t.not(next.id, createUser.id);
  t.notOk(await isKnownDevice(createUser.email, createUser.deviceToken));
  t.ok(await isKnownDevice(createUser.email, next.deviceToken));
});

t.test('checking a device token costs the same work for known and unknown addresses', async (t) => {
  const { email, deviceToken } = await app.createUser();
  const [device, end] = deviceToken.split('.');
  const { fieldCipher } = app.services;
  const hash = fieldCipher.hash;
  const hashes = async (address: string, token: string) => {
    const purposes: string[] = [];
    fieldCipher.hash = (purpose, ...parts) => {
      purposes.push(purpose);
      return hash(purpose, ...parts);
    };
    await logInWithPassword(app, address, { password: 'wrong every time', deviceToken: token });
    fieldCipher.hash = hash;
    return purposes;
  };
  for (const token of [`${device}.${end}.${'A'.repeat(43)}`, 'nonsense']) {
    const unknownHashes = await hashes('nobody@example.org', token);
    t.ok(unknownHashes.includes('login-email'));
    t.same(await hashes(email, token), unknownHashes);
  }
});
