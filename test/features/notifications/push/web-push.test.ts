import type { JobHandler } from '../../../../src/platform/job-worker.ts';
import { deriveVapidKey } from '../../../../src/shared/crypto/vapid-key.ts';
import { startTestApp, TEST_PASSWORD, type TestUser } from '../../../helper.ts';
import {
  createTestBrowser,
  startWebPushServer,
  type TestBrowser,
  verifyVapid,
} from '../../../providers/push/web-push-server.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import { queryDatabase } from '../../identity/accounts/helper.ts';
import { addPush, createPushJob, listDeliveries, runJobOnce, sendAllPushes } from './helper.ts';

const DEVICES = '/api/notifications/devices';
const SUBSCRIPTIONS = '/api/notifications/web-push-subscriptions';
const UNREGISTERED = { status: 'FAILED', reason: 'UNREGISTERED' };

const server = await startWebPushServer(t.teardown);
const test = await startTestApp(t);
const { call, services } = test;
const { publicKey } = services.webPush;

function subscribe(token: string, { subscription }: TestBrowser, more: object = {}) {
  const { endpoint, ...keys } = subscription;
  const body = { endpoint, expirationTime: null, keys, applicationServerKey: publicKey, ...more };
  return call('POST', SUBSCRIPTIONS, { token, body });
}

const devicesOf = async (token: string) => (await call('GET', DEVICES, { token })).body.data;

async function logIn(user: TestUser): Promise<string> {
  const body = { email: user.email, password: TEST_PASSWORD };
  return (await call('POST', '/api/auth/login', { body })).body.accessToken;
}

t.beforeEach(() => {
  server.received.length = 0;
  server.state.status = 201;
});

t.test('registers a browser as a device, without revealing its subscription', async (t) => {
  const { accessToken: token } = await test.createUser();
  t.equal((await call('GET', '/api/notifications/web-push-key', { token })).body.publicKey, publicKey);
  const browser = server.createBrowser();
  let id = '';
  const entries = await captureAuditEntries(test, async () => {
    const made = await subscribe(token, browser, { name: 'Laptop' });
    t.equal(made.status, 201, made.text);
    t.equal(made.headers.location, DEVICES);
    t.match(made.body, { platform: 'WEB', name: 'Laptop', current: true });
    id = made.body.id;
    const padded = { p256dh: `${browser.subscription.p256dh}=`, auth: `${browser.subscription.auth}==` };
    const again = await subscribe(token, browser, { keys: padded });
    t.equal(again.status, 200, again.text);
    t.match(again.body, { id, name: 'Laptop' });
  });
  t.match(entries, [{ action: 'PUSH_DEVICE_REGISTERED' }]);
  t.equal(entries.length, 1);
  const list = await call('GET', DEVICES, { token });
  t.match(list.body.data, [{ id, platform: 'WEB' }]);
  for (const secret of [browser.subscription.endpoint, browser.subscription.auth])
    t.notMatch(list.text, secret);
  const [row] = await queryDatabase(test, 'SELECT token, token_hash FROM push_devices WHERE id = $1', id);
  t.notOk(Buffer.concat([row.token, row.token_hash]).includes(server.origin), 'not in plain text at rest');
  t.same((await call('DELETE', `${DEVICES}/${id}`, { token })).body, { id, deleted: true });
  t.same(await devicesOf(token), []);
});

t.test('refuses what cannot be pushed to, field by field', async (t) => {
  const { accessToken: token } = await test.createUser({ profile: false });
  const browser = server.createBrowser();
  const { p256dh, auth } = browser.subscription;
  const other = deriveVapidKey('another service').publicKey;
  const cases: [more: object, field: string][] = [
    [{ endpoint: 'https://push.example.org/x' }, 'endpoint'],
    [{ endpoint: 'https://10.0.0.1/x' }, 'endpoint'],
    [{ endpoint: 'https://169.254.169.254/latest' }, 'endpoint'],
    [{ endpoint: 'http://fcm.googleapis.com/x' }, 'endpoint'],
    [{ endpoint: 'nonsense' }, 'endpoint'],
    [{ endpoint: `https://fcm.googleapis.com/${'x'.repeat(2_048)}` }, 'endpoint'],
    [{ keys: { p256dh: `B${'A'.repeat(86)}`, auth } }, 'keys.p256dh'],
    [{ keys: { p256dh: 'short', auth } }, 'keys.p256dh'],
    [{ keys: { p256dh, auth: 'short' } }, 'keys.auth'],
    [{ applicationServerKey: other }, 'applicationServerKey'],
  ];
  for (const [more, field] of cases) {
    const { status, body } = await subscribe(token, browser, more);
    t.equal(status, 400, JSON.stringify(more));
    t.match(
      body.errors.map((error: { field: string }) => error.field),
      [field],
    );
  }
  t.same(await devicesOf(token), []);
});

t.test('moves a browser to who is signed in on it, and to nobody who knows its address alone', async (t) => {
  const [ada, bob] = [await test.createUser(), await test.createUser()];
  const browser = server.createBrowser();
  await subscribe(ada.accessToken, browser);
  const forged = createTestBrowser(browser.subscription.endpoint);
  t.equal((await subscribe(bob.accessToken, forged)).status, 201);
  t.equal((await devicesOf(ada.accessToken)).length, 1, 'it stays');
  await addPush(test, ada);
  await sendAllPushes(test);
  t.equal(server.received.length, 1);
  t.match(browser.decrypt(server.received[0]?.body ?? Buffer.alloc(0)), 'New sign-in');

  const entries = await captureAuditEntries(test, async () => {
    t.equal((await subscribe(bob.accessToken, browser)).status, 201);
  });
  t.match(entries, [{ action: 'PUSH_DEVICE_MOVED' }, { action: 'PUSH_DEVICE_REGISTERED' }]);
  t.same(await devicesOf(ada.accessToken), []);
});

t.test('limits an account to 20 devices, browsers among them', async (t) => {
  const { accessToken: token } = await test.createUser({ profile: false });
  for (let count = 0; count < 22; count += 1) await subscribe(token, server.createBrowser());
  t.equal((await call('GET', DEVICES, { token })).body.pagination.total, 20);
});

t.test(
  'sends notifications to browsers without Firebase, encrypted, in the language of the user',
  async (t) => {
    const ada = await test.createUser();
    const browsers = [server.createBrowser(), server.createBrowser()];
    for (const browser of browsers) await subscribe(ada.accessToken, browser);
    await call('PUT', `/api/auth/profile/${ada.id}`, { token: ada.accessToken, body: { language: 'de' } });
    const id = await addPush(test, ada, {
      type: 'MESSAGE',
      event: 'message.created',
      data: { code: 'Rex', text: 'A secret message', place: 'Lindenstr. 5', qrCodeId: 'f'.repeat(24) },
    });
    await sendAllPushes(test);
    t.equal(server.received.length, 2);
    for (const browser of browsers) {
      const { pathname } = new URL(browser.subscription.endpoint);
      const push = server.received.find(({ path }) => path === pathname);
      if (!push) return t.fail('a browser got nothing');
      const text = browser.decrypt(push.body);
      t.match(JSON.parse(text), {
        title: 'Jemand hat einen Ihrer Codes gescannt und Ihnen geschrieben',
        body: '',
        data: { event: 'message.created', notificationId: id, qrCodeId: 'f'.repeat(24) },
        tag: id,
      });
      for (const secret of ['A secret message', 'Lindenstr', 'Rex']) t.notMatch(text, secret);
      t.match(push.headers, { urgency: 'high', topic: id });
      t.match(verifyVapid(push.headers.authorization), { publicKey, claims: { aud: server.origin } });
    }
    t.match(await listDeliveries(test, id), [{ status: 'DELIVERED' }, { status: 'DELIVERED' }]);
  },
);

t.test(
  'removes a browser that unsubscribed, and tries again later when its push service is busy',
  async (t) => {
    const [ada, bob] = [await test.createUser(), await test.createUser()];
    for (const { accessToken } of [ada, bob]) await subscribe(accessToken, server.createBrowser());
    await services.jobs.stop();
    const job = createPushJob(test);
    const run = async (handler: JobHandler, user: TestUser) =>
      runJobOnce(test, handler, await addPush(test, user));

    for (const status of [429, 503]) {
      server.state.status = status;
      const { again, ...delivery } = await run(job, ada);
      t.match(delivery, { status: 'WAITING', attempts: 1 }, `${status}`);
    }
    server.state.status = 201;
    t.match(await run(job, ada), { status: 'DELIVERED' }, 'others are not delayed');
    server.state.status = 403;
    t.match(await run(job, ada), { status: 'FAILED', reason: 'VAPID_KEY_REFUSED' });
    t.equal((await devicesOf(ada.accessToken)).length, 1);
    server.state.status = 410;
    t.match(await run(job, ada), UNREGISTERED);
    t.same(await devicesOf(ada.accessToken), []);

    const changed = { ...services.webPush, publicKey: deriveVapidKey('a new key').publicKey };
    const waiting = await addPush(test, bob);
    server.received.length = 0;
    const later = createPushJob({ ...test, services: { ...services, webPush: changed } });
    t.match(await runJobOnce(test, later, waiting), { status: 'NOT_SENT', reason: 'KEY_CHANGED' });
    t.same(server.received, [], 'the push service would refuse it');
    t.equal((await devicesOf(bob.accessToken)).length, 1);
    await services.jobs.start();
  },
);

t.test('does not list a browser as reachable that subscribed with another key', async (t) => {
  const ada = await test.createUser();
  await subscribe(ada.accessToken, server.createBrowser());
  await queryDatabase(
    test,
    'UPDATE push_devices SET vapid_public_key = $2 WHERE user_id = $1',
    ada.id,
    deriveVapidKey('a former key').publicKey,
  );
  const id = await addPush(test, ada);
  t.match(await listDeliveries(test, id), [{ deviceId: null, status: 'NOT_SENT' }]);
  const [{ id: deviceId }] = await devicesOf(ada.accessToken);
  const tested = await call('POST', `${DEVICES}/${deviceId}/test`, { token: ada.accessToken, body: {} });
  t.match(tested.body, { status: 'FAILED', reason: 'KEY_CHANGED' });
});

t.test('sends a test to one device, and tells what became of it', async (t) => {
  const [ada, bob] = [await test.createUser(), await test.createUser()];
  const token = ada.accessToken;
  const browser = server.createBrowser();
  const { id } = (await subscribe(token, browser)).body;
  const sendTest = (as = token) => call('POST', `${DEVICES}/${id}/test`, { token: as, body: {} });
  const entries = await captureAuditEntries(test, async () => {
    t.same((await sendTest()).body, { id, status: 'SENT', reason: null });
  });
  t.match(entries, [{ action: 'PUSH_TEST_SENT' }]);
  const [push] = server.received;
  t.match(JSON.parse(browser.decrypt(push?.body ?? Buffer.alloc(0))), {
    title: 'Notifications reach this device',
    data: { event: 'test' },
  });
  t.equal((await sendTest(bob.accessToken)).status, 404, 'a device of somebody else');
  server.state.status = 503;
  t.match((await sendTest()).body, { status: 'FAILED', reason: 'UNAVAILABLE' });
  t.equal((await devicesOf(token)).length, 1);
  server.state.status = 404;
  t.match((await sendTest()).body, UNREGISTERED);
  t.same(await devicesOf(token), []);
  t.equal((await sendTest()).status, 404);
});

t.test('sends 20 tests an hour for an account', async (t) => {
  const { accessToken: token } = await test.createUser({ profile: false });
  const { id } = (await subscribe(token, server.createBrowser())).body;
  const statuses: number[] = [];
  for (let count = 0; count < 21; count += 1)
    statuses.push((await call('POST', `${DEVICES}/${id}/test`, { token, body: {} })).status);
  t.same(statuses, [...Array(20).fill(200), 429]);
  t.equal(server.received.length, 20);
});

t.test('forgets a browser with its session, and with the account', async (t) => {
  const ada = await test.createUser();
  const other = await logIn(ada);
  await subscribe(other, server.createBrowser());
  await call('POST', '/api/auth/logout', { token: other });
  t.same(await devicesOf(ada.accessToken), []);
  const id = await addPush(test, ada);
  t.match(await listDeliveries(test, id), [{ deviceId: null, status: 'NOT_SENT' }]);
  await subscribe(ada.accessToken, server.createBrowser());
  const body = { password: TEST_PASSWORD };
  t.equal((await call('DELETE', '/api/auth/account', { token: ada.accessToken, body })).status, 200);
  t.same(await queryDatabase(test, 'SELECT id FROM push_devices WHERE user_id = $1', ada.id), []);
});
