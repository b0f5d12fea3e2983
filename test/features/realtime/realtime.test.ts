import { Ajv2020 } from 'ajv/dist/2020.js';
import { publishEvents } from '../../../src/platform/realtime/publish-events.ts';
import { getConversationStream, getUserStream } from '../../../src/platform/realtime/streams.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { t } from '../../tap.ts';
import { eraseAccountOf, waitForErasures } from '../personal-data/helper.ts';
import { openSocket, startRealtime } from './helper.ts';

const test = await startRealtime(t);
const { owner, call, database, address } = test;
const token = owner.accessToken;
const { client } = database;

t.test(
  'both sides hear of messages, receipts, typing and the end, as the lists would show it to them',
  async (t) => {
    const opened = await test.converse();
    const { id } = opened.body;
    const mine = await test.listen();
    const finder = await test.listenAsFinder(opened);
    t.match(mine.heard[0], {
      event: 'ready',
      data: { side: 'ACCOUNT', userId: owner.id, conversationId: null },
    });
    t.match(finder.heard[0], { event: 'ready', data: { side: 'FINDER', userId: null, conversationId: id } });

    const answered = await test.answer(id, 'Thank you, kind stranger!');
    const told = await finder.hears('message.created');
    t.same(told.data, { conversationId: id, messageId: answered.body.id, message: answered.body });
    t.match(await mine.hears('message.created'), { data: told.data }, 'the other windows of the writer too');
    finder.say('read', { conversationId: id });
    const isRead =
      (by: string, upTo: string) =>
      ({ event, data }: { event: string; data: { by?: unknown; upTo?: unknown } }) =>
        event === 'message.read' && data.by === by && data.upTo === upTo;
    for (const one of [mine, finder])
      t.match((await one.hears(isRead('FINDER', answered.body.id))).data, { conversationId: id });
    const written = await test.writeAsFinder(opened, 'At the station.');
    t.match(await mine.hears(({ data }) => data.messageId === written.body.id), {
      event: 'message.created',
      data: { message: written.body },
    });

    const again = await test.answer(id, 'When can I come?');
    for (const one of [mine, finder]) await one.hears(isRead('OWNER', written.body.id));
    t.equal((await test.answer(id, 'Hello?')).status, 201);
    finder.say('read', { conversationId: id, upTo: again.body.id });
    await mine.hears(isRead('FINDER', again.body.id));
    t.equal(
      await client.conversationMessage.count({ where: { readAt: null, sender: 'OWNER' } }),
      1,
      'no further',
    );
    const last = await test.writeAsFinder(opened, 'At noon.');
    await call('GET', `/api/conversations/${id}/messages`, { token });
    await finder.hears(isRead('OWNER', last.body.id));

    finder.say('typing', { conversationId: id });
    t.same((await mine.hears('typing')).data, { conversationId: id, side: 'FINDER' });
    mine.say('typing', { conversationId: id });
    mine.say('typing', { conversationId: id });
    t.same((await finder.hears('typing')).data, { conversationId: id, side: 'OWNER' });
    t.same(finder.heard.filter(({ event, id }) => event === 'typing' && id === null).length, 1, 'throttled');
    t.notOk(mine.heard.some(({ event, data }) => event === 'typing' && data.side === 'OWNER'));

    await call('POST', `/api/conversations/${id}/end`, { token });
    for (const one of [mine, finder])
      t.same((await one.hears('conversation.ended')).data, { conversationId: id, by: 'OWNER' });
    const late = await test.listenAsFinder(opened);
    late.say('typing', { conversationId: id });
    t.match(await late.hears('error'), { data: { code: 'CONVERSATION_ENDED', event: 'typing' } });
    late.say('watch', { conversationId: id });
    await late.hears(({ data }) => data.code === 'CONVERSATION_ENDED' && data.event === 'watch');
    t.ok(finder.heard.every(({ event }) => !event.startsWith('notification')));

    const document = (await call('GET', '/api/docs/json')).body;
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'document');
    const isKnown = ajv.compile({ $ref: 'document#/components/schemas/RealtimeServerEvent' });
    for (const one of [...mine.heard, ...finder.heard, ...late.heard])
      t.ok(isKnown(one), `${one.event}: ${ajv.errorsText(isKnown.errors)}`);

    const rows = JSON.stringify(await client.realtimeEvent.findMany({ select: { data: true } }));
    t.notMatch(rows, /stranger|station|Hello/, 'rows hold ids');
  },
);

t.test('presence tells whether the other side looks, and nothing else', async (t) => {
  const opened = await test.converse();
  const { id: conversationId } = opened.body;
  const mine = await test.listen();
  const finder = await test.listenAsFinder(opened);
  finder.say('watch', { conversationId });
  t.same((await finder.hears('presence')).data, { conversationId, side: 'OWNER', isPresent: false });
  t.same((await mine.hears('presence')).data, { conversationId, side: 'FINDER', isPresent: true });
  mine.say('watch', { conversationId });
  await finder.hears(({ event, data }) => event === 'presence' && data.isPresent);
  await mine.hears(({ event, data }) => event === 'presence' && data.side === 'FINDER');
  finder.socket.close();
  await mine.hears(({ event, data }) => event === 'presence' && !data.isPresent);
  const late = await test.listenAsFinder(opened);
  late.say('watch', { conversationId });
  t.match((await late.hears('presence')).data, { isPresent: true });
  mine.say('unwatch', { conversationId });
  await late.hears(({ event, data }) => event === 'presence' && !data.isPresent);
});

t.test('nobody receives events of, or sends events to, a conversation of others', async (t) => {
  const other = await test.person();
  const [opened, foreign] = [await test.converse(), await test.converse()];
  const { id: conversationId } = opened.body;
  const stranger = await test.listen(other);
  const finder = await test.listenAsFinder(foreign);
  const mine = await test.listen();
  for (const [one, event] of [stranger, finder].flatMap((one) =>
    ['typing', 'watch', 'read'].map((event) => [one, event] as const),
  )) {
    one.say(event, { conversationId });
    await one.hears(({ data }) => data.code === 'NOT_FOUND' && data.event === event);
  }
  const unread = { conversationId, readAt: null };
  t.equal(await client.conversationMessage.count({ where: unread }), 1);
  await test.answer(conversationId, 'Not for you.');
  await mine.hears('message.created');
  for (const one of [stranger, finder]) {
    one.say('ping');
    await one.hears('pong');
    t.same(new Set(one.heard.map(({ event }) => event)), new Set(['ready', 'error', 'pong']));
  }
  const denials = await client.auditEntry.count({ where: { action: 'ACCESS_DENIED' } });
  t.equal(denials, 3, 'what the account reached for is in the trail');
});

t.test('notifications are told in the words of the list, and so is that they are read', async (t) => {
  const mine = await test.listen();
  const row = { userId: owner.id, type: 'SYSTEM', event: 'NEW_LOGIN', data: {} };
  const [one, gone] = [generateId(), generateId()];
  await client.notification.createMany({ data: [{ id: one, key: one, dueAt: null, ...row }] });
  await database.transaction(async (tx) => {
    for (const notificationId of [one, gone])
      await publishEvents(tx, {
        stream: getUserStream(owner.id),
        event: 'notification.created',
        data: { notificationId },
      });
  });
  const listed = await call('GET', '/api/notifications?limit=100', { token });
  const shown = listed.body.data.find(({ id }: { id: string }) => id === one);
  const created = ({ event }: { event: string }) => event === 'notification.created';
  t.same((await mine.hears('notification.created')).data, { notificationId: one, notification: shown });
  await mine.hears(({ data }) => data.notificationId === gone);
  t.equal(mine.heard.filter(created)[1]?.data.notification, null, 'deleted meanwhile');
  await call('PATCH', `/api/notifications/${one}/read`, { token });
  await mine.hears(({ event, data }) => event === 'notification.read' && data.notificationId === one);
  await call('POST', '/api/notifications/read-all', { token });
  await mine.hears(({ event, data }) => event === 'notification.read' && data.notificationId === null);
});

t.test('a transaction that fails tells nothing', async (t) => {
  const other = await test.person();
  const mine = await test.listen(other);
  const event = {
    stream: getUserStream(other.id),
    event: 'notification.read',
    data: { notificationId: null },
  } as const;
  const failing = database.transaction(async (tx) => {
    await publishEvents(tx, event);
    throw new Error('too late');
  });
  await t.rejects(failing, /too late/);
  await database.transaction((tx) => publishEvents(tx, event));
  await mine.hears('notification.read');
  t.equal(mine.heard.length, 2);
});

t.test('an erased account has no stream any more, nor has a conversation about its codes', async (t) => {
  const other = await test.person();
  const opened = await test.converse(other);
  const [mine, finder] = [await test.listen(other), await test.listenAsFinder(opened)];
  await test.answer(opened.body.id, 'Thank you.', other);
  await finder.hears('message.created');
  const streams = { in: [getUserStream(other.id), getConversationStream(opened.body.id)] };
  t.equal(await client.realtimeStream.count({ where: { stream: streams } }), 2);
  t.equal((await eraseAccountOf(test, other)).status, 200);
  t.same([await mine.end(), await finder.end()], [4401, 4401]);
  await waitForErasures(test);
  const event = { stream: getUserStream(other.id), event: 'notification.read', data: {} } as const;
  await database.transaction((tx) => publishEvents(tx, event));
  t.equal(await client.realtimeStream.count({ where: { stream: streams } }), 0);
  t.equal(await client.realtimeEvent.count({ where: { stream: streams } }), 0);
});

t.test('what is no event is answered by an error of the table, and the socket stays open', async (t) => {
  const mine = await test.listen();
  for (const [text, code, event] of [
    ['{', 'MALFORMED_BODY', null],
    ['[]', 'VALIDATION_FAILED', null],
    ['"ping"', 'VALIDATION_FAILED', null],
    ['{"event":"constructor"}', 'VALIDATION_FAILED', 'constructor'],
    ['{"event":"typing"}', 'VALIDATION_FAILED', 'typing'],
    ['{"event":"watch","data":{"conversationId":"x"}}', 'VALIDATION_FAILED', 'watch'],
  ] as const) {
    mine.heard.length = 0;
    mine.socket.send(text);
    t.match((await mine.hears('error')).data, { code, event }, text);
  }
  mine.socket.send(Buffer.from('{"event":"ping"}'), { binary: true });
  await mine.hears(({ data }) => data.code === 'MALFORMED_BODY');
  mine.say('ping');
  await mine.hears('pong');
  const unknown = openSocket(t, address);
  unknown.socket.on('open', () => unknown.say('ping'));
  await unknown.hears('pong');
});
