import { generateRandomAlphanumeric } from '../../../../src/shared/ids.ts';
import { startTestApp, TEST_PASSWORD, type TestUser } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import { queryDatabase } from '../../identity/accounts/helper.ts';

const DEVICES = '/api/notifications/devices';

const test = await startTestApp(t);
const { call } = test;
const newToken = () => `fcm:${generateRandomAlphanumeric(40)}`;

const register = (token: string, pushToken: string, more: object = {}) =>
  call('POST', DEVICES, { token, body: { token: pushToken, platform: 'ANDROID', ...more } });

const devicesOf = async (token: string) => (await call('GET', DEVICES, { token })).body.data;

async function logIn(user: TestUser): Promise<string> {
  const body = { email: user.email, password: TEST_PASSWORD };
  return (await call('POST', '/api/auth/login', { body })).body.accessToken;
}

t.test('registers, lists and removes a device without revealing its token', async (t) => {
  const ada = await test.createUser();
  const token = ada.accessToken;
  const pushToken = newToken();
  let id = '';
  const entries = await captureAuditEntries(test, async () => {
    const made = await register(token, pushToken, { name: 'Phone', platform: 'IOS' });
    t.equal(made.status, 201, made.text);
    t.match(made.body, { platform: 'IOS', name: 'Phone', current: true });
    id = made.body.id;
    const again = await register(token, pushToken, { platform: 'IOS' });
    t.equal(again.status, 200, 'the same token is the same device');
    t.match(again.body, { id, name: 'Phone' });
  });
  t.match(entries, [{ action: 'PUSH_DEVICE_REGISTERED' }]);
  t.equal(entries.length, 1);
  const list = await call('GET', DEVICES, { token });
  t.match(list.body, { data: [{ id, current: true }], pagination: { total: 1 } });
  t.notMatch(list.text, pushToken);
  t.match(await devicesOf(await logIn(ada)), [{ id, current: false }]);
  const [row] = await queryDatabase(test, 'SELECT token, token_hash FROM push_devices WHERE id = $1', id);
  t.notOk(Buffer.concat([row.token, row.token_hash]).includes(pushToken), 'not in plain text at rest');

  const stranger = await test.createUser({ profile: false });
  t.equal((await call('DELETE', `${DEVICES}/${id}`, { token: stranger.accessToken })).status, 404);
  const removed = await call('DELETE', `${DEVICES}/${id}`, { token });
  t.same(removed.body, { id, deleted: true });
  t.equal((await call('DELETE', `${DEVICES}/${id}`, { token })).status, 404);
  t.same(await devicesOf(token), []);
});

t.test('rejects an invalid token', async (t) => {
  const { accessToken } = await test.createUser({ profile: false });
  for (const wrong of ['', 'short', `with space ${'x'.repeat(20)}`, 'ü'.repeat(20), 'x'.repeat(4_097)])
    t.equal((await register(accessToken, wrong)).status, 400, wrong.slice(0, 20));
  t.equal((await register(accessToken, newToken(), { platform: 'SYMBIAN' })).status, 400);
  t.equal((await register(accessToken, newToken(), { name: '\u200b' })).status, 400);
});

t.test('moves a device to the user who is signed in on it', async (t) => {
  const ada = await test.createUser({ profile: false });
  const bob = await test.createUser({ profile: false });
  const pushToken = newToken();
  const { id } = (await register(ada.accessToken, pushToken, { name: 'Ada’s' })).body;
  const entries = await captureAuditEntries(test, async () => {
    const moved = await register(bob.accessToken, pushToken);
    t.equal(moved.status, 201, moved.text);
    t.not(moved.body.id, id, 'a waiting push of the previous user has no device');
    t.equal(moved.body.name, null);
  });
  t.match(entries, [{ action: 'PUSH_DEVICE_MOVED' }, { action: 'PUSH_DEVICE_REGISTERED' }]);
  t.same(await devicesOf(ada.accessToken), []);
  t.equal((await devicesOf(bob.accessToken)).length, 1);
});

t.test('stores one device for parallel registrations of a token', async (t) => {
  const ada = await test.createUser({ profile: false });
  const bob = await test.createUser({ profile: false });
  const pushToken = newToken();
  const users = [ada, bob, ada, bob, ada, bob, ada, bob];
  const answers = await Promise.all(users.map(({ accessToken }) => register(accessToken, pushToken)));
  for (const { status, text } of answers) t.ok([200, 201].includes(status), text);
  const devices = [...(await devicesOf(ada.accessToken)), ...(await devicesOf(bob.accessToken))];
  t.equal(devices.length, 1);
});

t.test('limits an account to 20 devices, and removes the least recently used', async (t) => {
  const { accessToken: token } = await test.createUser({ profile: false });
  const first = newToken();
  await register(token, first);
  for (let count = 0; count < 19; count += 1) await register(token, newToken());
  const { id: reusedId } = (await register(token, first)).body;
  await register(token, newToken());
  const { data, pagination } = (await call('GET', `${DEVICES}?limit=100`, { token })).body;
  t.equal(pagination.total, 20);
  t.ok(
    data.some(({ id }: { id: string }) => id === reusedId),
    'the one that was used again',
  );
});

t.test('removes a device when its session ends', async (t) => {
  const count = async (user: TestUser) =>
    (
      await queryDatabase(test, 'SELECT count(*)::int AS count FROM push_devices WHERE user_id = $1', user.id)
    )[0].count;
  const ada = await test.createUser();
  const token = ada.accessToken;
  await register(token, newToken());

  const other = await logIn(ada);
  await register(other, newToken());
  await call('POST', '/api/auth/logout', { token: other });
  t.equal(await count(ada), 1, 'logged out');

  const ended = await logIn(ada);
  await register(ended, newToken());
  const [newest] = (await call('GET', '/api/auth/sessions', { token: ended })).body.data;
  await call('DELETE', `/api/auth/sessions/${newest.id}`, { token });
  t.equal(await count(ada), 1, 'ended from another device');

  const third = await logIn(ada);
  await register(third, newToken());
  const body = { currentPassword: TEST_PASSWORD, newPassword: `${TEST_PASSWORD} 2` };
  const changed = await call('POST', '/api/auth/change-password', { token, body });
  t.equal(changed.status, 200, changed.text);
  t.equal(await count(ada), 1, 'the password was changed: that of this session stays');

  await queryDatabase(
    test,
    "UPDATE sessions SET ended_at = now(), end_reason = 'IDLE' WHERE user_id = $1",
    ada.id,
  );
  t.equal(await count(ada), 0, 'idle');
  t.equal((await register(token, newToken())).status, 401);
});

t.test('removes devices with the account', async (t) => {
  const ada = await test.createUser();
  const pushToken = newToken();
  await register(ada.accessToken, pushToken, { name: 'Phone' });
  const erased = await call('DELETE', '/api/auth/account', {
    token: ada.accessToken,
    body: { password: TEST_PASSWORD },
  });
  t.equal(erased.status, 200, erased.text);
  t.same(await queryDatabase(test, 'SELECT id FROM push_devices WHERE user_id = $1', ada.id), []);
});
