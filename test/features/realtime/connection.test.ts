import { EventEmitter } from 'node:events';
import { createSocketConnection } from '../../../src/features/realtime/connection.ts';
import {
  createPerSecondLimiter,
  getReplayStart,
  hasCredentialInQuery,
  parseSocketCredential,
} from '../../../src/features/realtime/realtime.rules.ts';
import {
  encodeRealtimeMessages,
  parseRealtimeMessage,
} from '../../../src/platform/realtime/realtime-messages.ts';
import { t } from '../../tap.ts';

/** A socket that records its calls. */
function fakeSocket() {
  const done: string[] = [];
  const note = (name: string) => () => void done.push(name);
  const socket = Object.assign(new EventEmitter(), {
    ...{ readyState: 1, OPEN: 1, bufferedAmount: 0 },
    ...{ send: note('send'), ping: note('ping'), terminate: note('terminate'), close: note('close') },
    ...{ pause: note('pause') },
  });
  return { socket, done, connection: createSocketConnection(socket as never) };
}

t.test('disconnects a client that does not read or answer pings', async (t) => {
  const { socket, done, connection } = fakeSocket();
  connection.send('pong', {});
  socket.bufferedAmount = 1_048_577;
  socket.terminate = () => {
    done.push('terminate');
    socket.readyState = 2;
  };
  connection.send('pong', {});
  t.same(done, ['send', 'terminate']);

  const silent = fakeSocket();
  const now = Date.now();
  for (const seconds of [1, 31, 32, 62]) silent.connection.keepAlive(now + seconds * 1_000);
  t.same(silent.done, ['ping', 'terminate']);
  const lively = fakeSocket();
  lively.connection.keepAlive(now + 31_000);
  lively.socket.emit('pong');
  lively.connection.keepAlive(now + 62_000);
  t.same(lively.done, ['ping', 'ping']);
});

t.test('reads nothing more from a client that sends too much', async (t) => {
  const { done, connection } = fakeSocket();
  connection.reject('too many messages');
  t.same(done, ['close', 'pause']);
});

t.test('determines where a socket starts', async (t) => {
  const end = { last: 9, lastId: 'i9', heard: null, oldest: 4 };
  const zero = '0'.repeat(24);
  t.same(getReplayStart(null, undefined), { after: 0, id: zero, isLost: false });
  t.same(getReplayStart(null, zero), { after: 0, id: zero, isLost: false });
  t.same(getReplayStart(null, 'i1'), { after: 0, id: zero, isLost: true });
  t.same(getReplayStart(end, undefined), { after: 9, id: 'i9', isLost: false });
  t.same(getReplayStart({ ...end, heard: 5 }, 'i5'), { after: 5, id: 'i5', isLost: false });
  t.same(getReplayStart(end, 'i3'), { after: 9, id: 'i9', isLost: true });
  t.same(getReplayStart({ ...end, oldest: null }, 'i9'), { after: 9, id: 'i9', isLost: false });
  t.same(getReplayStart({ ...end, oldest: 1 }, zero), { after: 0, id: zero, isLost: false });
  t.same(getReplayStart({ ...end, oldest: null }, zero), { after: 9, id: 'i9', isLost: true });
});

t.test('accepts credentials in headers only', async (t) => {
  t.same(parseSocketCredential({ authorization: 'bearer a.b.c' }), { kind: 'bearer', token: 'a.b.c' });
  t.same(parseSocketCredential({ 'sec-websocket-protocol': 'bearer,  a.b.c' }), {
    kind: 'bearer',
    token: 'a.b.c',
  });
  t.same(parseSocketCredential({ 'sec-websocket-protocol': 'conversation, x.y' }), {
    kind: 'conversation',
    token: 'x.y',
  });
  for (const heads of [{}, { authorization: 'Basic x' }, { 'sec-websocket-protocol': 'bearer' }])
    t.equal(parseSocketCredential(heads), null);
  const query = (text: string) => hasCredentialInQuery(new URLSearchParams(text));
  t.same(['', 'since=6b0285cd507464fcfd7530d0', 'v=1.2'].map(query), [false, false, false]);
  t.same(['Token=1', 'jwt=1', 'x=aaaaaaaaaa.bbbbbbbbbb.cc'].map(query), [true, true, true]);
  const isWithin = createPerSecondLimiter(2);
  t.same([0, 1, 2, 999, 1_000, 1_001].map(isWithin), [true, true, false, false, true, true]);
});

t.test(
  'truncates messages between processes to the size limit, with a fallback to all streams',
  async (t) => {
    const word = (count: number) => `u:${String(count).padStart(24, '0')}`;
    const ephemeralEvent = {
      event: 'typing',
      conversationId: word(1),
      accountId: word(2),
      side: 'OWNER',
    } as const;
    const many = Array.from({ length: 1_000 }, (_, index) => word(index));
    const texts = encodeRealtimeMessages(
      'p',
      many,
      Array.from({ length: 200 }, () => ephemeralEvent),
    );
    t.ok(texts.every((text) => Buffer.byteLength(text) < 8_000));
    const notices = texts.map(parseRealtimeMessage);
    t.equal(notices[0]?.words, null);
    t.equal(notices.flatMap(({ ephemeralEvents }) => ephemeralEvents).length, 200);
    t.same(parseRealtimeMessage(encodeRealtimeMessages('p', [word(1)], [])[0] ?? ''), {
      from: 'p',
      words: [word(1)],
      ephemeralEvents: [],
    });
    t.same(encodeRealtimeMessages('p', [], []), []);
    t.equal(parseRealtimeMessage(encodeRealtimeMessages('p', null, [])[0] ?? '').words, null);
    for (const text of ['', '{', 'null', '{"from":1}']) t.equal(parseRealtimeMessage(text).words, null, text);
  },
);
