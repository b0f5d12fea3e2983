import {
  connectRealtime,
  createClient,
  type RealtimeConnection,
  type ServerEvent,
} from '@qr-profile-service/client';
import type { Test } from 'tap';
import { WebSocket } from 'ws';
import { publishRealtimeEvents } from '../../../src/platform/realtime/publish-events.ts';
import { getUserStreamName } from '../../../src/platform/realtime/streams.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { startRealtime, waitForCondition } from '../../features/realtime/helper.ts';
import { t } from '../../tap.ts';
import { createUserClient } from './helper.ts';

const test = await startRealtime(t);
const baseUrl = test.address.replace('ws:', 'http:').replace('/api/realtime', '');
const publish = (userId: string, notificationId: string) =>
  test.database.transaction((tx) =>
    publishRealtimeEvents(tx, {
      stream: getUserStreamName(userId),
      event: 'notification.read',
      data: { notificationId },
    }),
  );

/** A client whose sockets a test can cut. */
function createSockets() {
  const sockets: WebSocket[] = [];
  class RecordedWebSocket extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      sockets.push(this);
    }
  }
  return { WebSocket: RecordedWebSocket, sockets };
}

/** Read events until the test ends. */
function readAll(t: Test, connection: RealtimeConnection) {
  const events: ServerEvent[] = [];
  const reading = (async () => {
    for await (const event of connection) events.push(event);
  })();
  t.teardown(async () => {
    connection.close();
    await reading;
  });
  const waitFor = (name: string, count = 1) =>
    waitForCondition(name, () => events.filter(({ event }) => event === name).length >= count);
  const getReads = () =>
    events.flatMap((one) => (one.event === 'notification.read' ? [one.data.notificationId] : []));
  return { waitFor, getReads };
}

t.test('a lost connection goes on where it ended', async (t) => {
  const user = await test.createUser();
  const { client } = await createUserClient(baseUrl, user);
  const { WebSocket, sockets } = createSockets();
  const connection = connectRealtime(client, { WebSocket });
  const { waitFor, getReads } = readAll(t, connection);
  await waitFor('ready');
  const ids = Array.from({ length: 6 }, () => generateId());
  for (const [index, id] of ids.entries()) {
    if (index % 2 === 1) sockets.at(-1)?.terminate();
    await publish(user.id, id);
  }
  await waitFor('notification.read', ids.length);
  t.same(getReads(), ids, 'each once and in order');
  t.ok(sockets.length > 1);

  const later = readAll(t, connectRealtime(client, { WebSocket, since: connection.lastEventId }));
  await publish(user.id, generateId());
  await later.waitFor('notification.read');
  t.equal(later.getReads().length, 1, 'since the last event that was read');
});

t.test('sends events, and the access token before it ends', async (t) => {
  const user = await test.createUser();
  const { client, store } = await createUserClient(baseUrl, user);
  const first = store.session;
  if (first) store.session = { ...first, expiresAt: Date.now() + 40_000 };
  const { WebSocket, sockets } = createSockets();
  const connection = connectRealtime(client, { WebSocket });
  const { waitFor } = readAll(t, connection);
  await waitFor('ready', 2);
  t.not(store.session?.refreshToken, first?.refreshToken, 'refreshed');
  t.equal(sockets.length, 1, 'on the same socket');
  t.equal(connection.send({ event: 'ping' }), true);
  await waitFor('pong');
  connection.close();
  t.equal(connection.send({ event: 'ping' }), false);
});

t.test('an access token that ended is refreshed, and a session that ended is an error', async (t) => {
  const user = await test.createUser();
  const { client, store } = await createUserClient(baseUrl, user);
  if (store.session) store.session = { ...store.session, accessToken: 'no-longer-valid' };
  const { WebSocket, sockets } = createSockets();
  const { waitFor } = readAll(t, connectRealtime(client, { WebSocket }));
  await waitFor('ready');
  t.equal(sockets.length, 2);
  const other = createClient({ baseUrl });
  const iterator = connectRealtime(other, { WebSocket })[Symbol.asyncIterator]();
  await t.rejects(iterator.next(), { name: 'RealtimeError', closeCode: 4401 });
});

t.test('a finder listens with a conversation token, and an invalid one is an error', async (t) => {
  const { body } = await test.converse();
  const client = createClient({ baseUrl });
  const { waitFor } = readAll(
    t,
    connectRealtime(client, { WebSocket, conversationToken: body.conversationToken }),
  );
  await waitFor('ready');
  await test.answer(body.id, 'On my way!');
  await waitFor('message.created');
  const wrong = connectRealtime(client, { WebSocket, conversationToken: 'wrong' })[Symbol.asyncIterator]();
  await t.rejects(wrong.next(), { name: 'RealtimeError', closeCode: 4401 });
});

t.test('a signal ends the connection, also while it waits for an unreachable service', async (t) => {
  const user = await test.createUser();
  const { client } = await createUserClient(baseUrl, user);
  const controller = new AbortController();
  const unreachable = { ...client, baseUrl: 'http://127.0.0.1:9' };
  const iterator = connectRealtime(unreachable, { WebSocket, signal: controller.signal })[
    Symbol.asyncIterator
  ]();
  const next = iterator.next();
  controller.abort(new Error('left'));
  await t.rejects(next, { message: 'left' });
  const short = connectRealtime(unreachable, { WebSocket, maxAttempts: 1 })[Symbol.asyncIterator]();
  await t.rejects(short.next(), { name: 'RealtimeError', closeCode: 1006 });
});
