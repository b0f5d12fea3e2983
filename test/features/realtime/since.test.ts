import { createCleanUpJob } from '../../../src/platform/clean-up.job.ts';
import { findRealtimeStreamEnd } from '../../../src/platform/realtime/event.repository.ts';
import { publishRealtimeEvents } from '../../../src/platform/realtime/publish-events.ts';
import { getUserStreamName } from '../../../src/platform/realtime/streams.ts';
import { generateId } from '../../../src/shared/ids.ts';
import type { TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { type ReceivedEvent, startRealtime, startSecondRealtimeInstance } from './helper.ts';

const test = await startRealtime(t);
const another = await startSecondRealtimeInstance(t, test);
const { database } = test;

const eventFor = (user: TestUser, notificationId: string) =>
  ({ stream: getUserStreamName(user.id), event: 'notification.read', data: { notificationId } }) as const;
const readsOf = (received: readonly ReceivedEvent[]) =>
  received.flatMap(({ event, data }) =>
    event === 'notification.read' ? [data.notificationId as string] : [],
  );

t.test('replays missed events once and in order during parallel writes and disconnects', async (t) => {
  const user = await test.createUser();
  const [writers, each, cuts] = [8, 25, 5];
  const received: ReceivedEvent[] = [];
  const steady = [await test.listen(user), await test.listen(user, '', another.address)];
  let since = steady[0]?.receivedEvents[0]?.id;
  const written = Array.from({ length: writers }, () => Array.from({ length: each }, () => generateId()));
  const writing = Promise.all(
    written.map(async (ids, writer) => {
      const place = writer % 2 === 0 ? database : another.database;
      for (const id of ids) await place.transaction((tx) => publishRealtimeEvents(tx, eventFor(user, id)));
    }),
  );
  for (let cut = 0; readsOf(received).length < writers * each; cut += 1) {
    const at = cut % 2 === 0 ? test.address : another.address;
    const client = await test.listen(user, `?since=${since}`, at);
    if (cut < cuts) {
      // Disconnects in the middle of a replay; a few more events may be in transit.
      await client.waitForEvent(({ event }) => event === 'notification.read');
      client.socket.terminate();
    } else {
      await writing;
      const rest = writers * each - readsOf(received).length;
      await client.waitForEvent(() => readsOf(client.receivedEvents).length >= rest);
      client.send('ping');
      await client.waitForEvent('pong');
    }
    received.push(...client.receivedEvents);
    since = received.findLast(({ id }) => id !== null)?.id;
  }
  await writing;
  const rows = await database.client.realtimeEvent.findMany({
    where: { stream: getUserStreamName(user.id) },
    orderBy: { seq: 'asc' },
  });
  const stored = rows.map(({ data }) => (data as { notificationId: string }).notificationId);
  t.equal(stored.length, writers * each);
  t.same(readsOf(received), stored, 'once, and in the order in which they were added');
  for (const one of steady) {
    await one.waitForEvent(() => readsOf(one.receivedEvents).length >= stored.length);
    t.same(readsOf(one.receivedEvents), stored, 'whoever was there all the time, too');
  }
  for (const ids of written)
    t.same(
      stored.filter((id) => ids.includes(id)),
      ids,
      'each writer’s in its order',
    );
  t.notOk(received.some(({ event }) => event === 'resync'));
});

t.test('lets several processes start a stream in parallel', async (t) => {
  const user = await test.createUser();
  const stream = getUserStreamName(user.id);
  for (let round = 0; round < 5; round += 1) {
    await database.client.realtimeStream.deleteMany({ where: { stream } });
    const places = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? database : another.database));
    await Promise.all(
      places.map((place) =>
        place.transaction((tx) => publishRealtimeEvents(tx, eventFor(user, generateId()))),
      ),
    );
    const rows = await database.client.realtimeEvent.findMany({ where: { stream }, orderBy: { seq: 'asc' } });
    t.same(
      rows.map(({ seq }) => Number(seq)),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
  }
  // The window is narrow: a second unique index makes INSERT … ON CONFLICT fail in it.
  const { rows } = await database.pool.query(
    "SELECT FROM pg_index WHERE indrelid = 'realtime_streams'::regclass AND indisunique",
  );
  t.equal(rows.length, 1);
});

t.test('accepts the id of ready as `since`, and sends resync for unknown events', async (t) => {
  const user = await test.createUser();
  const first = await test.listen(user);
  const [beginning = ''] = first.receivedEvents.map(({ id }) => id);
  first.socket.terminate();
  const [one, two] = [generateId(), generateId()];
  for (const id of [one, two])
    await database.transaction((tx) => publishRealtimeEvents(tx, eventFor(user, id)));
  const back = await test.listen(user, `?since=${beginning}`);
  await back.waitForEvent(({ data }) => data.notificationId === two);
  t.same(
    back.receivedEvents.map(({ event }) => event),
    ['ready', 'notification.read', 'notification.read'],
  );
  t.equal(back.receivedEvents[0]?.id, beginning, 'or an end right after it would lose the rest');

  const isOld = { createdAt: new Date(Date.now() - 8 * 24 * 60 * 60 * 1000) };
  await database.client.realtimeEvent.updateMany({
    where: { stream: getUserStreamName(user.id) },
    data: isOld,
  });
  await createCleanUpJob(test.services)({});
  t.equal(await database.client.realtimeEvent.count({ where: { stream: getUserStreamName(user.id) } }), 0);
  const last = back.receivedEvents.at(-1)?.id;
  t.equal((await findRealtimeStreamEnd(database.client, getUserStreamName(user.id), ''))?.lastId, last);
  for (const [since, expected] of [
    [beginning, ['ready', 'resync']],
    [generateId(), ['ready', 'resync']],
    ['nonsense', ['ready', 'resync']],
    [last, ['ready', 'pong']],
  ] as const) {
    const client = await test.listen(user, `?since=${since}`);
    client.send('ping');
    await client.waitForEvent('pong');
    t.same(
      client.receivedEvents.slice(0, 2).map(({ event }) => event),
      expected,
      `${since}`,
    );
    t.equal(client.receivedEvents[0]?.id, last);
  }
});
