import { dispatchDueNotifications } from '../../../../src/features/notifications/dispatch-notifications.use-case.ts';
import { insertNotification } from '../../../../src/features/notifications/insert-notification.repository.ts';
import { failLostPushes } from '../../../../src/features/notifications/push/fail-lost-pushes.ts';
import { FCM_RESPONSES } from '../../../providers/push/fcm-responses.ts';
import { t } from '../../../tap.ts';
import { queryDatabase } from '../../identity/accounts/helper.ts';
import {
  addPush,
  createPushJob,
  listDeliveries,
  listPendingFlags,
  registerTestDevice,
  runJobOnce,
  sendAllPushes,
  startPushes,
} from './helper.ts';

const test = await startPushes(t);
const { call, fcm, services } = test;

const sentTo = (token: string) => fcm.received.filter((one) => one.token === token);

t.beforeEach(() => {
  fcm.received.length = 0;
  fcm.state.reply = FCM_RESPONSES.accepted;
  test.serviceLog.length = 0;
});

t.test('sends each notification once to each device of its user, in their language', async (t) => {
  const ada = await test.createUser();
  const bob = await test.createUser();
  const devices = [await registerTestDevice(test, ada), await registerTestDevice(test, ada)];
  const other = await registerTestDevice(test, bob);
  await call('PUT', `/api/auth/profile/${ada.id}`, { token: ada.accessToken, body: { language: 'de' } });
  const ids: string[] = [];
  for (let count = 0; count < 20; count += 1) ids.push(await addPush(test, ada));
  const bobs = await addPush(test, bob, { type: 'ALERT' });
  await sendAllPushes(test);
  for (const { token } of devices) {
    const notificationIds = sentTo(token).map(({ data }) => data.notificationId);
    t.same(notificationIds.sort(), ids.toSorted(), 'all of them, each once');
  }
  t.match(sentTo(devices[0]?.token ?? '')[0], {
    notification: { title: /Anmeldung/ },
    data: { event: 'login.created' },
    android: { priority: 'NORMAL' },
  });
  t.match(sentTo(other.token), [
    { notification: { title: 'New sign-in' }, data: { notificationId: bobs }, android: { priority: 'HIGH' } },
  ]);
  t.equal(fcm.received.length, 41);
  const deliveries = await listDeliveries(test, ids[0] ?? '');
  t.match(
    deliveries,
    devices
      .map(({ id }) => id)
      .sort()
      .map((deviceId) => ({ deviceId, status: 'DELIVERED', attempts: 1 })),
  );
});

t.test('deletes an unregistered device, and reaches the others', async (t) => {
  const ada = await test.createUser();
  const [gone, remaining] = [await registerTestDevice(test, ada), await registerTestDevice(test, ada)];
  fcm.state.reply = ({ token }) =>
    token === gone.token ? FCM_RESPONSES.unregistered() : FCM_RESPONSES.accepted();
  const id = await addPush(test, ada);
  await sendAllPushes(test);
  const deliveries = await listDeliveries(test, id);
  t.match(Object.fromEntries(deliveries.map((row) => [row.deviceId, row])), {
    [gone.id]: { status: 'FAILED', reason: 'UNREGISTERED' },
    [remaining.id]: { status: 'DELIVERED', reason: null },
  });
  t.equal(deliveries.length, 2);
  const { body } = await call('GET', '/api/notifications/devices', { token: remaining.accessToken });
  t.match(body.data, [{ id: remaining.id }]);
  t.equal(body.data.length, 1);
});

t.test('pushes a digest once', async (t) => {
  const ada = await test.createUser();
  const device = await registerTestDevice(test, ada);
  await call('PUT', '/api/notifications/preferences', { token: ada.accessToken, body: { digest: 'HOURLY' } });
  await sendAllPushes(test);
  await test.services.database.client.notification.deleteMany({ where: { userId: ada.id } });
  fcm.received.length = 0;
  for (let scan = 0; scan < 3; scan++)
    await insertNotification(test.database.client, {
      ...{ userId: ada.id, type: 'DEFAULT', event: 'scan.created', data: { code: 'Rex' } },
    });
  await dispatchDueNotifications(test.services);
  t.same(sentTo(device.token), [], 'it is gathered');
  await dispatchDueNotifications(test.services, new Date(Date.now() + 2 * 3_600_000));
  await sendAllPushes(test);
  t.match(sentTo(device.token), [{ data: { event: 'scan.digest' } }]);
  t.equal(sentTo(device.token).length, 1);
});

t.test('handles single jobs', async (t) => {
  // Creating accounts needs the workers, which send the mail with the code.
  const users = await Promise.all(Array.from({ length: 14 }, () => test.createUser()));
  const takeUser = () => {
    const user = users.pop();
    if (!user) throw new Error('More users are needed.');
    return user;
  };
  await services.jobs.stop();
  const job = createPushJob(test);

  await t.test('records that there is no device', async (t) => {
    const ada = takeUser();
    const id = await addPush(test, ada);
    t.match(await listDeliveries(test, id), [{ deviceId: null, status: 'NOT_SENT', reason: 'NO_DEVICE' }]);
  });

  await t.test('sends a notification once that was enqueued twice', async (t) => {
    const ada = takeUser();
    await registerTestDevice(test, ada);
    const id = await addPush(test, ada);
    await test.database.transaction((tx) =>
      services.pushOutbox.post(tx, { userId: ada.id, notificationId: id }),
    );
    t.equal((await listPendingFlags(test, id)).length, 1);
    t.match(await runJobOnce(test, job, id), { status: 'DELIVERED' });
    t.match(await runJobOnce(test, job, id), { status: 'DELIVERED', attempts: 1 });
    t.equal(fcm.received.length, 1);
  });

  await t.test(
    'does not send a waiting push after a logout, a suspension, or after it was read',
    async (t) => {
      const ada = takeUser();
      const device = await registerTestDevice(test, ada);
      const read = await addPush(test, ada);
      await call('PATCH', `/api/notifications/${read}/read`, { token: device.accessToken });
      t.match(await runJobOnce(test, job, read), { status: 'NOT_SENT', reason: 'READ', attempts: 0 });
      const expired = await addPush(test, ada, { createdAt: new Date(Date.now() - 25 * 60 * 60 * 1000) });
      t.match(await runJobOnce(test, job, expired), { status: 'NOT_SENT', reason: 'EXPIRED' });

      const suspended = await addPush(test, ada);
      await queryDatabase(test, "UPDATE users SET status = 'SUSPENDED' WHERE id = $1", ada.id);
      t.match(await runJobOnce(test, job, suspended), { status: 'NOT_SENT', reason: 'DEVICE_GONE' });
      await queryDatabase(test, "UPDATE users SET status = 'ACTIVE' WHERE id = $1", ada.id);

      const loggedOut = await addPush(test, ada);
      await call('POST', '/api/auth/logout', { token: device.accessToken });
      t.match(await runJobOnce(test, job, loggedOut), { status: 'NOT_SENT', reason: 'DEVICE_GONE' });
      const after = await addPush(test, ada);
      t.match(await listDeliveries(test, after), [{ reason: 'NO_DEVICE' }]);
      t.same(fcm.received, []);
    },
  );

  await t.test('does not send a waiting push to the next user of the device', async (t) => {
    const [ada, bob] = [takeUser(), takeUser()];
    const { token } = await registerTestDevice(test, ada);
    const id = await addPush(test, ada);
    await call('POST', '/api/notifications/devices', {
      token: bob.accessToken,
      body: { token, platform: 'ANDROID' },
    });
    t.match(await runJobOnce(test, job, id), { status: 'NOT_SENT', reason: 'DEVICE_GONE' });
    t.same(fcm.received, []);
  });

  await t.test('does not retry a rejected push, and keeps the device', async (t) => {
    const ada = takeUser();
    const { accessToken: token } = await registerTestDevice(test, ada);
    for (const answer of [FCM_RESPONSES.invalidMessage, FCM_RESPONSES.otherSender]) {
      fcm.state.reply = answer;
      t.match(await runJobOnce(test, job, await addPush(test, ada)), { status: 'FAILED', again: false });
    }
    t.equal((await call('GET', '/api/notifications/devices', { token })).body.data.length, 1);
  });

  await t.test('delays one device as long as its quota requires', async (t) => {
    const [ada, bob] = [takeUser(), takeUser()];
    await Promise.all([registerTestDevice(test, ada), registerTestDevice(test, bob)]);
    fcm.state.reply = () => FCM_RESPONSES.quota('30');
    const id = await addPush(test, ada);
    t.match(await runJobOnce(test, job, id), {
      ...{ status: 'WAITING', reason: 'QUOTA_EXCEEDED', attempts: 1 },
      again: false,
    });
    t.same(await listPendingFlags(test, id), [false, true], 'a job of its own for then');
    fcm.state.reply = FCM_RESPONSES.accepted;
    t.match(await runJobOnce(test, job, await addPush(test, bob)), { status: 'DELIVERED' });
    t.match(await runJobOnce(test, job, id), { status: 'DELIVERED', reason: null, attempts: 2 });
  });

  await t.test('backs off for all pushes if the provider asks for it', async (t) => {
    const ada = takeUser();
    await registerTestDevice(test, ada);
    const own = createPushJob(test);
    const [first, second] = [await addPush(test, ada), await addPush(test, ada)];
    fcm.state.reply = () => FCM_RESPONSES.unavailable('600');
    t.match(await runJobOnce(test, own, first), { status: 'WAITING', reason: 'UNAVAILABLE', again: false });
    fcm.state.reply = FCM_RESPONSES.accepted;
    t.match(await runJobOnce(test, own, second), { status: 'WAITING', attempts: 0, again: false });
    t.same(await listPendingFlags(test, second), [false, true]);
    t.equal(fcm.received.length, 1);
  });

  await t.test('retries temporary failures, and fails after the last attempt', async (t) => {
    const ada = takeUser();
    await registerTestDevice(test, ada);
    const id = await addPush(test, ada);
    fcm.state.reply = () => FCM_RESPONSES.internal();
    for (let attempts = 1; attempts <= 8; attempts += 1)
      t.match(await runJobOnce(test, job, id), { status: 'WAITING', attempts, again: true });
    t.match(await runJobOnce(test, job, id), { status: 'FAILED', reason: 'UNAVAILABLE', again: false });
    t.equal(fcm.received.length, 9);
  });

  await t.test('logs wrong credentials once until a push succeeds', async (t) => {
    const ada = takeUser();
    await registerTestDevice(test, ada);
    const own = createPushJob(test);
    const countLogEntries = () =>
      test.serviceLog.filter((line) => line.includes('FIREBASE_SERVICE_ACCOUNT')).length;
    const ids = [await addPush(test, ada), await addPush(test, ada)];
    fcm.state.reply = FCM_RESPONSES.unauthenticated;
    for (const id of [...ids, ...ids])
      t.match(await runJobOnce(test, own, id), { status: 'WAITING', reason: 'CREDENTIALS', again: true });
    t.equal(countLogEntries(), 1);
    fcm.state.reply = FCM_RESPONSES.accepted;
    t.match(await runJobOnce(test, own, ids[0] ?? ''), { status: 'DELIVERED' });
    fcm.state.reply = FCM_RESPONSES.forbidden;
    await runJobOnce(test, own, ids[1] ?? '');
    t.equal(countLogEntries(), 2);
  });

  await t.test('logs a wrong key of a platform once, and as that of the platform', async (t) => {
    const ada = takeUser();
    await registerTestDevice(test, ada);
    const own = createPushJob(test);
    const since = test.serviceLog.length;
    const ids = [await addPush(test, ada), await addPush(test, ada), await addPush(test, ada)];
    const reason = 'PLATFORM_CREDENTIALS';
    fcm.state.reply = FCM_RESPONSES.appleKey;
    t.match(await runJobOnce(test, own, ids[0] ?? ''), { status: 'WAITING', reason, again: true });
    fcm.state.reply = FCM_RESPONSES.accepted;
    t.match(await runJobOnce(test, own, ids[1] ?? ''), { status: 'DELIVERED' });
    fcm.state.reply = FCM_RESPONSES.appleKey;
    t.match(await runJobOnce(test, own, ids[2] ?? ''), { status: 'WAITING', reason, again: true });
    const lines = test.serviceLog.slice(since).filter((line) => line.includes('pushes: '));
    t.match(lines, [/APNs key/]);
    t.equal(lines.length, 1);
    t.notMatch(lines.join(), 'FIREBASE_SERVICE_ACCOUNT');
  });

  await t.test('fails a push whose worker was lost', async (t) => {
    const ada = takeUser();
    await registerTestDevice(test, ada);
    const [lost, waiting] = [await addPush(test, ada), await addPush(test, ada)];
    const [delivery] = await listDeliveries(test, lost);
    await queryDatabase(test, "DELETE FROM pgboss.job WHERE data ->> 'deliveryId' = $1", delivery?.id);
    t.ok((await failLostPushes(services)) >= 1);
    t.match(await listDeliveries(test, lost), [{ status: 'FAILED', reason: 'WORKER_LOST' }]);
    t.match(await listDeliveries(test, waiting), [{ status: 'WAITING' }]);
  });

  await t.test('does not send waiting pushes without a provider', async (t) => {
    const ada = takeUser();
    await registerTestDevice(test, ada);
    const id = await addPush(test, ada);
    const without = createPushJob({ ...test, services: { ...services, push: null } });
    t.match(await runJobOnce(test, without, id), { status: 'NOT_SENT', reason: 'NOT_CONFIGURED' });
  });
});
