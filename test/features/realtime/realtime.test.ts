import { Ajv2020 } from 'ajv/dist/2020.js';
import { publishRealtimeEvents } from '../../../src/platform/realtime/publish-events.ts';
import { getConversationStreamName, getUserStreamName } from '../../../src/platform/realtime/streams.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { t } from '../../tap.ts';
import { eraseAccountOf, waitForErasures } from '../personal-data/helper.ts';
import { openSocket, startRealtime } from './helper.ts';

const test = await startRealtime(t);
const { owner, call, database, address } = test;
const token = owner.accessToken;
const { client } = database;

t.test('sends messages, receipts, typing and the end to both sides, as in the lists', async (t) => {
  const opened = await test.converse();
  const { id } = opened.body;
  const mine = await test.listen();
  const finder = await test.listenAsFinder(opened);
  t.match(mine.receivedEvents[0], {
    event: 'ready',
    data: { side: 'ACCOUNT', userId: owner.id, conversationId: null },
  });
  t.match(finder.receivedEvents[0], {
    event: 'ready',
    data: { side: 'FINDER', userId: null, conversationId: id },
  });

  const answered = await test.answer(id, 'Thank you, kind stranger!');
  const created = await finder.waitForEvent('message.created');
  t.same(created.data, { conversationId: id, messageId: answered.body.id, message: answered.body });
  t.match(
    await mine.waitForEvent('message.created'),
    { data: created.data },
    'the other windows of the writer too',
  );
  finder.send('read', { conversationId: id });
  const isRead =
    (by: string, upTo: string) =>
    ({ event, data }: { event: string; data: { by?: unknown; upTo?: unknown } }) =>
      event === 'message.read' && data.by === by && data.upTo === upTo;
  for (const one of [mine, finder])
    t.match((await one.waitForEvent(isRead('FINDER', answered.body.id))).data, { conversationId: id });
  const written = await test.writeAsFinder(opened, 'At the station.');
  t.match(await mine.waitForEvent(({ data }) => data.messageId === written.body.id), {
    event: 'message.created',
    data: { message: written.body },
  });

  const again = await test.answer(id, 'When can I come?');
  for (const one of [mine, finder]) await one.waitForEvent(isRead('OWNER', written.body.id));
  t.equal((await test.answer(id, 'Hello?')).status, 201);
  finder.send('read', { conversationId: id, upTo: again.body.id });
  await mine.waitForEvent(isRead('FINDER', again.body.id));
  t.equal(
    await client.conversationMessage.count({ where: { readAt: null, sender: 'OWNER' } }),
    1,
    'no further',
  );
  const last = await test.writeAsFinder(opened, 'At noon.');
  await call('POST', `/api/conversations/${id}/read`, { token });
  await finder.waitForEvent(isRead('OWNER', last.body.id));

  finder.send('typing', { conversationId: id });
  t.same((await mine.waitForEvent('typing')).data, { conversationId: id, side: 'FINDER' });
  mine.send('typing', { conversationId: id });
  mine.send('typing', { conversationId: id });
  t.same((await finder.waitForEvent('typing')).data, { conversationId: id, side: 'OWNER' });
  t.same(
    finder.receivedEvents.filter(({ event, id }) => event === 'typing' && id === null).length,
    1,
    'throttled',
  );
  t.notOk(mine.receivedEvents.some(({ event, data }) => event === 'typing' && data.side === 'OWNER'));

  await call('POST', `/api/conversations/${id}/end`, { token });
  for (const one of [mine, finder])
    t.same((await one.waitForEvent('conversation.ended')).data, { conversationId: id, by: 'OWNER' });
  await call('POST', `/api/conversations/${id}/reopen`, { token });
  for (const one of [mine, finder])
    t.same((await one.waitForEvent('conversation.reopened')).data, { conversationId: id });
  await call('POST', `/api/conversations/${id}/end`, { token });
  const late = await test.listenAsFinder(opened);
  late.send('typing', { conversationId: id });
  t.match(await late.waitForEvent('error'), { data: { code: 'CONVERSATION_ENDED', event: 'typing' } });
  late.send('watch', { conversationId: id });
  await late.waitForEvent(({ data }) => data.code === 'CONVERSATION_ENDED' && data.event === 'watch');
  t.ok(finder.receivedEvents.every(({ event }) => !event.startsWith('notification')));

  const document = (await call('GET', '/api/docs/json')).body;
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'document');
  const isKnown = ajv.compile({ $ref: 'document#/components/schemas/RealtimeServerEvent' });
  for (const one of [...mine.receivedEvents, ...finder.receivedEvents, ...late.receivedEvents])
    t.ok(isKnown(one), `${one.event}: ${ajv.errorsText(isKnown.errors)}`);

  const rows = JSON.stringify(await client.realtimeEvent.findMany({ select: { data: true } }));
  t.notMatch(rows, /stranger|station|Hello/, 'rows hold ids');
});

t.test('reports only whether the other side is present', async (t) => {
  const opened = await test.converse();
  const { id: conversationId } = opened.body;
  const mine = await test.listen();
  const finder = await test.listenAsFinder(opened);
  finder.send('watch', { conversationId });
  t.same((await finder.waitForEvent('presence')).data, { conversationId, side: 'OWNER', present: false });
  t.same((await mine.waitForEvent('presence')).data, { conversationId, side: 'FINDER', present: true });
  mine.send('watch', { conversationId });
  await finder.waitForEvent(({ event, data }) => event === 'presence' && data.present);
  await mine.waitForEvent(({ event, data }) => event === 'presence' && data.side === 'FINDER');
  finder.socket.close();
  await mine.waitForEvent(({ event, data }) => event === 'presence' && !data.present);
  const late = await test.listenAsFinder(opened);
  late.send('watch', { conversationId });
  t.match((await late.waitForEvent('presence')).data, { present: true });
  mine.send('unwatch', { conversationId });
  await late.waitForEvent(({ event, data }) => event === 'presence' && !data.present);
});

t.test('isolates conversations from other users', async (t) => {
  const other = await test.createUser();
  const [opened, foreign] = [await test.converse(), await test.converse()];
  const { id: conversationId } = opened.body;
  const stranger = await test.listen(other);
  const finder = await test.listenAsFinder(foreign);
  const mine = await test.listen();
  for (const [one, event] of [stranger, finder].flatMap((one) =>
    ['typing', 'watch', 'read'].map((event) => [one, event] as const),
  )) {
    one.send(event, { conversationId });
    await one.waitForEvent(({ data }) => data.code === 'NOT_FOUND' && data.event === event);
  }
  const unread = { conversationId, readAt: null };
  t.equal(await client.conversationMessage.count({ where: unread }), 1);
  await test.answer(conversationId, 'Not for you.');
  await mine.waitForEvent('message.created');
  for (const one of [stranger, finder]) {
    one.send('ping');
    await one.waitForEvent('pong');
    t.same(new Set(one.receivedEvents.map(({ event }) => event)), new Set(['ready', 'error', 'pong']));
  }
  const denials = await client.auditEntry.count({ where: { action: 'ACCESS_DENIED' } });
  t.equal(denials, 3, 'what the account reached for is in the trail');
});

t.test('does not mark a conversation as read up to a message of another one', async (t) => {
  const opened = await test.converse();
  const other = await test.converse();
  const foreign = await test.writeAsFinder(other, 'Here is your dog.');
  const mine = await test.listen();
  mine.send('read', { conversationId: opened.body.id, upTo: foreign.body.id });
  const outcome = await mine.waitForEvent(({ event }) => event === 'error' || event === 'message.read');
  t.match(outcome, { event: 'error', data: { code: 'NOT_FOUND', event: 'read' } });
});

t.test('sends notifications as in the list, and their read state', async (t) => {
  const mine = await test.listen();
  const row = { userId: owner.id, accountId: owner.id, type: 'SYSTEM', event: 'login.created', data: {} };
  const [one, scanned, gone] = [generateId(), generateId(), generateId()];
  await client.notification.createMany({
    data: [
      { ...row, id: one, key: one, dueAt: null },
      { ...row, id: scanned, key: scanned, dueAt: null, event: 'scan.created' },
    ],
  });
  await database.transaction(async (tx) => {
    for (const notificationId of [one, scanned, gone])
      await publishRealtimeEvents(tx, {
        stream: getUserStreamName(owner.id),
        event: 'notification.created',
        data: { notificationId },
      });
  });
  const listed = await call('GET', '/api/notifications?limit=100', { token });
  const listedNotification = listed.body.data.find(({ id }: { id: string }) => id === one);
  const created = ({ event }: { event: string }) => event === 'notification.created';
  t.same((await mine.waitForEvent('notification.created')).data, {
    notificationId: one,
    notification: listedNotification,
  });
  await mine.waitForEvent(({ data }) => data.notificationId === gone);
  t.equal(mine.receivedEvents.filter(created)[1]?.data.notification.event, 'scan.created');
  t.equal(mine.receivedEvents.filter(created)[2]?.data.notification, null, 'deleted meanwhile');
  await call('PATCH', `/api/notifications/${one}/read`, { token });
  await mine.waitForEvent(({ event, data }) => event === 'notification.read' && data.notificationId === one);
  await call('POST', '/api/notifications/read-all', { token });
  await mine.waitForEvent(({ event, data }) => event === 'notification.read' && data.notificationId === null);
});

t.test('sends nothing for a rolled back transaction', async (t) => {
  const other = await test.createUser();
  const mine = await test.listen(other);
  const event = {
    stream: getUserStreamName(other.id),
    event: 'notification.read',
    data: { notificationId: null },
  } as const;
  const failing = database.transaction(async (tx) => {
    await publishRealtimeEvents(tx, event);
    throw new Error('too late');
  });
  await t.rejects(failing, /too late/);
  await database.transaction((tx) => publishRealtimeEvents(tx, event));
  await mine.waitForEvent('notification.read');
  t.equal(mine.receivedEvents.length, 2);
});

t.test('deletes the streams of an erased account and its conversations', async (t) => {
  const other = await test.createUser();
  const opened = await test.converse(other);
  const [mine, finder] = [await test.listen(other), await test.listenAsFinder(opened)];
  await test.answer(opened.body.id, 'Thank you.', other);
  await finder.waitForEvent('message.created');
  const streams = { in: [getUserStreamName(other.id), getConversationStreamName(opened.body.id)] };
  t.equal(await client.realtimeStream.count({ where: { stream: streams } }), 2);
  t.equal((await eraseAccountOf(test, other)).status, 200);
  t.same([await mine.end(), await finder.end()], [4401, 4401]);
  await waitForErasures(test);
  const event = { stream: getUserStreamName(other.id), event: 'notification.read', data: {} } as const;
  await database.transaction((tx) => publishRealtimeEvents(tx, event));
  t.equal(await client.realtimeStream.count({ where: { stream: streams } }), 0);
  t.equal(await client.realtimeEvent.count({ where: { stream: streams } }), 0);
});

t.test('answers invalid events with an error, and keeps the socket open', async (t) => {
  const mine = await test.listen();
  for (const [text, code, event] of [
    ['{', 'MALFORMED_BODY', null],
    ['[]', 'VALIDATION_FAILED', null],
    ['"ping"', 'VALIDATION_FAILED', null],
    ['{"event":"constructor"}', 'VALIDATION_FAILED', 'constructor'],
    ['{"event":"typing"}', 'VALIDATION_FAILED', 'typing'],
    ['{"event":"watch","data":{"conversationId":"x"}}', 'VALIDATION_FAILED', 'watch'],
  ] as const) {
    mine.receivedEvents.length = 0;
    mine.socket.send(text);
    t.match((await mine.waitForEvent('error')).data, { code, event }, text);
  }
  mine.socket.send(Buffer.from('{"event":"ping"}'), { binary: true });
  await mine.waitForEvent(({ data }) => data.code === 'MALFORMED_BODY');
  mine.send('ping');
  await mine.waitForEvent('pong');
  const unknown = openSocket(t, address);
  unknown.socket.on('open', () => unknown.send('ping'));
  await unknown.waitForEvent('pong');
});
