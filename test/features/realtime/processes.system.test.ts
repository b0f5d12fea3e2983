import { REALTIME_LISTENER_APPLICATION_NAME } from '../../../src/platform/realtime/notification-listener.ts';
import { publishRealtimeEvents } from '../../../src/platform/realtime/publish-events.ts';
import { getUserStreamName } from '../../../src/platform/realtime/streams.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { REDIS_SKIP_REASON, startRedisServer } from '../../redis-server.ts';
import { t } from '../../tap.ts';
import { startRealtime, startSecondRealtimeInstance, waitForCondition } from './helper.ts';

/** Terminate only the listening connections to the database of a test. */
const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = $1 AND datname = current_database()`;

const test = await startRealtime(t);
const { owner, call } = test;
const { database } = test.services;

t.test('delivers events, typing and presence to another process', async (t) => {
  const another = await startSecondRealtimeInstance(t, test);
  const opened = await test.converse();
  const { id: conversationId } = opened.body;
  const mine = await test.listen(owner, '', another.address);
  const finder = await test.listenAsFinder(opened);
  const written = await test.writeAsFinder(opened, 'Here it is.');
  t.match(await mine.waitForEvent('message.created'), { data: { messageId: written.body.id } });
  finder.send('watch', { conversationId });
  await mine.waitForEvent(({ event, data }) => event === 'presence' && data.present);
  mine.send('watch', { conversationId });
  await mine.waitForEvent(({ data }) => data.side === 'FINDER' && data.present);
  await finder.waitForEvent(({ event, data }) => event === 'presence' && data.present);
  const third = await startSecondRealtimeInstance(t, test);
  const late = await test.listen(owner, '', third.address);
  late.send('watch', { conversationId });
  await late.waitForEvent(({ event, data }) => event === 'presence' && data.present);
  finder.send('typing', { conversationId });
  for (const one of [mine, late]) await one.waitForEvent('typing');
  mine.send('read', { conversationId });
  t.match(await finder.waitForEvent('message.read'), { data: { by: 'OWNER', upTo: written.body.id } });
  finder.socket.close();
  for (const one of [mine, late])
    await one.waitForEvent(({ event, data }) => event === 'presence' && !data.present);
  const made = await test.scan({ qrCodeId: await test.code() });
  for (const one of [mine, late])
    await one.waitForEvent(
      ({ event, data }) => event === 'scan.created' && data.scanId === made.body.scan.id,
    );
});

t.test('closes a socket after a logout in another process', async (t) => {
  const another = await startSecondRealtimeInstance(t, test);
  const user = await test.createUser();
  const [stays, goes] = [await test.createUser(), user];
  const other = await test.listen(stays, '', another.address);
  const [here, there] = [await test.listen(goes), await test.listen(goes, '', another.address)];
  t.equal((await call('POST', '/api/auth/logout', { token: goes.accessToken })).status, 200);
  t.same([await here.end(), await there.end()], [4401, 4401]);
  other.send('ping');
  await other.waitForEvent('pong');
  // Without a message: a session may expire, or be changed directly in the database.
  await database.client.session.updateMany({
    where: { userId: stays.id },
    data: { endedAt: new Date(), endReason: 'REVOKED' },
  });
  t.equal(await other.end(), 4401);
});

t.test('loses no event with the listening connection or a process', async (t) => {
  const another = await startSecondRealtimeInstance(t, test);
  const user = await test.createUser();
  const mine = await test.listen(user, '', another.address);
  const publishNotification = async () => {
    const notificationId = generateId();
    const event = {
      stream: getUserStreamName(user.id),
      event: 'notification.read',
      data: { notificationId },
    } as const;
    await database.transaction((tx) => publishRealtimeEvents(tx, event));
    return notificationId;
  };
  const before = await publishNotification();
  await mine.waitForEvent(({ data }) => data.notificationId === before);
  const { rowCount } = await database.pool.query(CUT, [REALTIME_LISTENER_APPLICATION_NAME]);
  t.ok(rowCount, 'the connections of both');
  const duringOutage = [await publishNotification(), await publishNotification()];
  for (const id of duringOutage) await mine.waitForEvent(({ data }) => data.notificationId === id);
  await waitForCondition('it is said', () =>
    another.serviceLog.some((line) => /listener connection/.test(line)),
  );

  const since = mine.receivedEvents.findLast(({ id }) => id !== null)?.id;
  const ended = mine.end();
  await another.close();
  t.equal(await ended, 1001, 'a process that stops closes its sockets');
  const gone = [await publishNotification(), await publishNotification()];
  const back = await test.listen(user, `?since=${since}`);
  await back.waitForEvent(({ data }) => data.notificationId === gone[1]);
  t.same(
    back.receivedEvents
      .filter(({ event }) => event === 'notification.read')
      .map(({ data }) => data.notificationId),
    gone,
  );
});

t.test('leaves nothing behind after an application has stopped', async (t) => {
  const listeners = async () => {
    const { rows } = await database.pool.query(
      'SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
      [REALTIME_LISTENER_APPLICATION_NAME],
    );
    return rows.length;
  };
  await waitForCondition('those of the tests before are gone', async () => (await listeners()) <= 1);
  const base = await listeners();
  const silent = await startSecondRealtimeInstance(t, test);
  t.equal(await listeners(), base, 'without sockets there is no listening connection');
  const mine = await test.listen(owner, '', silent.address);
  await waitForCondition('it listens', async () => (await listeners()) === base + 1);
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const ended = mine.end();
  const during = timers();
  await silent.close();
  await ended;
  await waitForCondition('the connection is gone', async () => (await listeners()) === base);
  // Connections that were just used have timers of their own for a moment.
  await waitForCondition('no timer of it is left', async () => timers() <= during);
  t.equal(silent.app.server.listening, false);
});

t.test('uses Redis between processes, or the database without it', { skip: REDIS_SKIP_REASON }, async (t) => {
  const redis = await startRedisServer(t);
  await redis.start();
  const first = await startRealtime(t, { REDIS_URL: redis.url });
  const second = await startSecondRealtimeInstance(t, first);
  const opened = await first.converse();
  const { id: conversationId } = opened.body;
  const mine = await first.listen(first.owner, '', second.address);
  const finder = await first.listenAsFinder(opened);
  const texts: string[] = [];
  const ears = redis.client();
  await ears.subscribe('qr:realtime');
  ears.on('message', (_channel, text) => texts.push(text));
  await waitForCondition('typing comes by Redis', async () => {
    const again = await first.listenAsFinder(opened);
    again.send('typing', { conversationId });
    again.send('ping');
    await again.waitForEvent('pong');
    again.socket.terminate();
    return mine.receivedEvents.some(({ event }) => event === 'typing') && texts.length > 0;
  });
  await first.writeAsFinder(opened, 'Nobody else reads this.');
  await mine.waitForEvent('message.created');
  t.notMatch(texts.join(), /Nobody else/);
  await redis.signal('SIGKILL');
  const written = await first.writeAsFinder(opened, 'Still there.');
  for (const one of [mine, finder]) await one.waitForEvent(({ data }) => data.messageId === written.body.id);
});
