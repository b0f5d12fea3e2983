import { deviceTokenFor } from '../../../src/features/accounts/device-token.ts';
import { promote } from '../../../src/features/administration/change-administrators.ts';
import { LIFETIMES } from '../../../src/shared/lifetimes.ts';
import { PASSWORD, type Person, startApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { erase } from '../personal-data/helper.ts';
import { logIn, withSecondFactor } from '../second-factor/helper.ts';
import { isProblem, resetToken, sql } from './helper.ts';

const NEW = 'a quite different password';

const app = await startApp(t);
const root = await app.person();
await promote(app.database, root.email);

/** Whether a log-in with this token is one of a known device: it does not wait for what strangers have tried. */
async function isKnown(email: string, deviceToken: string, password = PASSWORD): Promise<boolean> {
  await logIn(app, email, { password: 'wrong every time' });
  await sql(
    app,
    "UPDATE login_delays SET failures = 10, next_allowed_at = now() + interval '1 minute' WHERE key LIKE 'email:%'",
  );
  const answer = await logIn(app, email, { password, deviceToken });
  await sql(app, 'DELETE FROM login_delays');
  if (answer.status !== 200 && !isProblem(answer, 429, 'RATE_LIMITED')) throw new Error(answer.text);
  return answer.status === 200;
}

const enroll = (person: Person) => withSecondFactor(app, person);

t.test(
  'A11 a device token ends with a new password, and the device that changed it gets another',
  async (t) => {
    const person = await app.person();
    const stolen = (await logIn(app, person.email)).body.deviceToken;
    t.ok(await isKnown(person.email, stolen));
    const changed = await app.call('POST', '/api/auth/change-password', {
      token: person.accessToken,
      body: { currentPassword: PASSWORD, newPassword: NEW },
    });
    t.notOk(await isKnown(person.email, stolen, NEW), 'change');
    t.ok(await isKnown(person.email, changed.body.deviceToken, NEW));

    const token = await resetToken(app, person.email);
    await app.call('POST', '/api/auth/reset-password', { body: { token, password: PASSWORD } });
    t.notOk(await isKnown(person.email, changed.body.deviceToken), 'reset');
  },
);

t.test('A11 it ends with a changed second factor', async (t) => {
  const person = await app.person();
  const { recoveryCodes, deviceToken } = await enroll(person);
  t.notOk(await isKnown(person.email, person.deviceToken), 'on');
  t.ok(await isKnown(person.email, deviceToken));
  const off = await app.call('DELETE', '/api/auth/mfa', {
    token: person.accessToken,
    body: { password: PASSWORD, recoveryCode: recoveryCodes[0] },
  });
  t.notOk(await isKnown(person.email, deviceToken), 'off');
  t.ok(await isKnown(person.email, off.body.deviceToken));
});

t.test(
  'A11 it ends when an administrator ends all sessions, suspends, or takes a second factor off',
  async (t) => {
    const admin = (method: string, path: string, body?: object) =>
      app.call(method, `/api/admin/users/${path}`, { token: root.accessToken, body });
    const person = await app.person();
    await admin('DELETE', `${person.id}/sessions`);
    t.notOk(await isKnown(person.email, person.deviceToken), 'logged out everywhere');

    const { deviceToken } = (await logIn(app, person.email)).body;
    await admin('PATCH', person.id, { status: 'SUSPENDED' });
    await admin('PATCH', person.id, { status: 'ACTIVE' });
    t.notOk(await isKnown(person.email, deviceToken), 'suspended and restored');

    const other = await app.person();
    const enrolled = await enroll(other);
    await admin('DELETE', `${other.id}/second-factor`);
    t.notOk(await isKnown(other.email, enrolled.deviceToken), 'second factor taken off');
  },
);

t.test('A11 a log-out of one session leaves the devices', async (t) => {
  const person = await app.person();
  await app.call('POST', '/api/auth/logout', { token: person.accessToken });
  t.ok(await isKnown(person.email, person.deviceToken));
});

t.test('A11 it ends by itself, and its end cannot be moved', async (t) => {
  const { id, email } = await app.person();
  const { vault } = app.services;
  const owner = { id, accessEpoch: 0 };
  const life = LIFETIMES.deviceToken * 1000;
  const past = deviceTokenFor(vault, owner, Date.now() - life - 1000);
  t.notOk(await isKnown(email, past));
  t.ok(await isKnown(email, deviceTokenFor(vault, owner, Date.now() - life + 60_000)));
  const [device, end, signature] = past.split('.');
  t.notOk(await isKnown(email, `${device}.${Number(end) + 60_000}.${signature}`));
});

t.test('A11 the token of an erased account is worth nothing for the next one of the address', async (t) => {
  const person = await app.person();
  t.equal((await erase(app, person)).status, 200);
  const next = await app.person({ email: person.email });
  t.not(next.id, person.id);
  t.notOk(await isKnown(person.email, person.deviceToken));
  t.ok(await isKnown(person.email, next.deviceToken));
});

t.test('A10 a device token costs the same work whether or not the address is known', async (t) => {
  const { email, deviceToken } = await app.person();
  const [device, end] = deviceToken.split('.');
  const { vault } = app.services;
  const hash = vault.hash;
  const hashes = async (address: string, token: string) => {
    const purposes: string[] = [];
    vault.hash = (purpose, ...parts) => {
      purposes.push(purpose);
      return hash(purpose, ...parts);
    };
    await logIn(app, address, { password: 'wrong every time', deviceToken: token });
    vault.hash = hash;
    return purposes;
  };
  for (const token of [`${device}.${end}.${'A'.repeat(43)}`, 'nonsense']) {
    const nobody = await hashes('nobody@example.org', token);
    t.ok(nobody.includes('login-email'));
    t.same(await hashes(email, token), nobody);
  }
});
