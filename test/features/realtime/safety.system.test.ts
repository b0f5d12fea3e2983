import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect } from 'node:net';
import type { Test } from 'tap';
import { createConversationToken } from '../../../src/features/conversations/conversation-token.ts';
import { TEST_SECRETS } from '../../helper.ts';
import { t } from '../../tap.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { openSocket, startRealtime, type TestSocket, waitForCondition } from './helper.ts';

const test = await startRealtime(t, {
  ...TEST_SECRETS,
  // Those of the tests are texts, which production refuses.
  JWT_SECRET: randomBytes(32).toString('base64'),
  HASH_SECRET: randomBytes(32).toString('base64'),
  NODE_ENV: 'production',
  BCRYPT_COST: '10',
  SMTP_URL: 'none',
  BILLING: 'off',
  RATE_LIMIT_SCALE: '1',
  CORS_ORIGINS: 'https://app.example.org',
});
const { owner, address, app, call, services } = test;
const { accessToken: token } = owner;
const bearer = { authorization: `Bearer ${token}` };
const opened = await test.converse();
const { id, conversationToken: finderToken } = opened.body;

/** Open a socket and authenticate it immediately. */
function openAnd(t: Test, data: object): TestSocket {
  const client = openSocket(t, address);
  client.socket.on('open', () => client.send('authenticate', data));
  return client;
}

t.test('accepts a credential in a header or the first event, never in the URL', async (t) => {
  const silent = openSocket(t, address);
  for (const query of [
    `token=${token}`,
    `access_token=x`,
    `q=${token}`,
    `conversationToken=${finderToken}`,
  ]) {
    t.equal(await openSocket(t, `${address}?${query}`, { headers: bearer }).end(), 4401, query);
  }
  t.notMatch(
    test.log.join(),
    new RegExp(`${token}|${token.split('.')[2]}|${finderToken}`),
    'nor is it in the log',
  );
  const ways: [string, TestSocket, 'ACCOUNT' | 'FINDER'][] = [
    ['Authorization', openSocket(t, address, { headers: bearer }), 'ACCOUNT'],
    ['subprotocol', openSocket(t, address, { protocols: ['bearer', token] }), 'ACCOUNT'],
    ['first event', openAnd(t, { token }), 'ACCOUNT'],
    [
      'X-Conversation-Token',
      openSocket(t, address, { headers: { 'x-conversation-token': finderToken } }),
      'FINDER',
    ],
    ['subprotocol', openSocket(t, address, { protocols: ['conversation', finderToken] }), 'FINDER'],
    ['first event', openAnd(t, { conversationToken: finderToken, conversationId: id }), 'FINDER'],
  ];
  for (const [way, client, side] of ways) {
    t.equal((await client.waitForEvent('ready')).data.side, side, way);
    t.notMatch(client.socket.protocol, /\./, 'the token is not sent back');
  }
  const untold = openSocket(t, address);
  untold.socket.on('open', () => {
    untold.send('ping');
    untold.send('typing', { conversationId: id });
    untold.send('authenticate', { token });
  });
  await untold.waitForEvent('ready');
  t.same(
    untold.receivedEvents.map(({ event }) => event).slice(0, 3),
    ['pong', 'error', 'ready'],
    'as it is documented',
  );
  const ownersToken = createConversationToken(services.fieldCipher, id, { ownerEpoch: 0 });
  const wrong: TestSocket[] = [
    openSocket(t, address, { headers: { authorization: `Bearer ${token}x` } }),
    openSocket(t, address, { protocols: ['bearer', finderToken] }),
    openSocket(t, address, { headers: { 'x-conversation-token': ownersToken } }),
    openAnd(t, { token: finderToken }),
    openAnd(t, {}),
    openAnd(t, { conversationToken: finderToken, conversationId: '0'.repeat(24) }),
  ];
  for (const client of wrong) {
    t.equal(await client.end(), 4401);
    t.notOk(client.receivedEvents.some(({ event }) => event === 'ready'));
  }
  const early = openSocket(t, address);
  early.socket.on('open', () => early.send('watch', { conversationId: id }));
  t.match((await early.waitForEvent('error')).data, { code: 'UNAUTHENTICATED', event: 'watch' });
  t.equal(await silent.end(), 4401, 'a client that sends nothing');
});

t.test('rejects disallowed origins before the upgrade', async (t) => {
  for (const origin of ['https://evil.example', 'null', 'https://app.example.org.evil.example'])
    t.equal(await openSocket(t, address, { headers: { ...bearer, origin } }).end(), 403, origin);
  for (const origin of ['https://app.example.org', 'https://qr.example.org'])
    await openSocket(t, address, { headers: { ...bearer, origin } }).waitForEvent('ready');
});

t.test('closes a socket with its token, session or permission', async (t) => {
  const { sessionId } = app.verifyAccessToken(token) ?? { sessionId: '' };
  const short = (seconds: number) => app.signAccessToken({ id: owner.id, role: 'USER' }, sessionId, seconds);
  const [ends, goesOn] = [openAnd(t, { token: short(3) }), openAnd(t, { token: short(3) })];
  await goesOn.waitForEvent('ready');
  goesOn.send('authenticate', { token });
  t.equal(await ends.end(), 4401, 'with its token');
  goesOn.send('ping');
  await goesOn.waitForEvent('pong');
  t.equal(
    goesOn.receivedEvents.filter(({ event }) => event === 'ready').length,
    2,
    'a fresh one carries it on',
  );

  const other = await test.createUser();
  goesOn.send('authenticate', { token: other.accessToken });
  t.equal(await goesOn.end(), 4401, 'another account is another socket');
  const theirs = openSocket(t, address, { headers: { authorization: `Bearer ${other.accessToken}` } });
  await theirs.waitForEvent('ready');
  await test.database.client.user.update({
    where: { id: other.id },
    data: { status: 'SUSPENDED', previousStatus: 'ACTIVE' },
  });
  t.equal(await theirs.end(), 4401, 'suspended');
  t.equal(
    await openSocket(t, address, { headers: { authorization: `Bearer ${other.accessToken}` } }).end(),
    4401,
  );
});

t.test(
  'closes sockets for oversized or invalid frames, floods and too many sockets, and keeps running',
  async (t) => {
    t.equal(await closedBy(frameHead(100 * 1024 * 1024)), 1009, '100 MiB');
    t.equal(await closedBy(Buffer.from([0xf1, 0x80, 0, 0, 0, 0])), 1002, 'reserved bits');
    for (const flood of [
      (one: TestSocket) => one.send('ping'),
      (one: TestSocket) => one.socket.ping(),
      (one: TestSocket) => one.socket.pong(),
      (one: TestSocket) => one.socket.send(''),
      (one: TestSocket) => one.socket.send('', { fin: false }),
      (one: TestSocket) => one.socket.send(' ', { fin: false }),
    ]) {
      const client = openSocket(t, address, { headers: bearer });
      await client.waitForEvent('ready');
      for (let count = 0; count < 100; count += 1) flood(client);
      t.equal(await client.end(), 1008);
      t.ok(client.receivedEvents.length <= 22, 'it is not followed further');
    }
    const errors = openSocket(t, address, { headers: bearer });
    await errors.waitForEvent('ready');
    const saying = setInterval(() => errors.send('nonsense'), 60);
    t.equal(await errors.end(), 1008, 'a client that does everything wrong');
    clearInterval(saying);

    await waitForCondition('all are gone', () => app.websocketServer.clients.size === 0);
    const ten = Array.from({ length: 10 }, () => openSocket(t, address, { headers: bearer }));
    for (const one of ten) await one.waitForEvent('ready');
    t.equal(await openSocket(t, address, { headers: bearer }).end(), 4429, 'the eleventh of an account');
    ten[0]?.socket.close();
    await waitForCondition('one is gone', () => app.websocketServer.clients.size === 9);
    await openSocket(t, address, { headers: bearer }).waitForEvent('ready');
    const strangers = Array.from({ length: 50 }, () => openSocket(t, address));
    const codes = await Promise.all(strangers.map((one) => one.end()));
    t.equal(codes.filter((code) => code === 4429).length, 10, 'beyond fifty of an address');
    t.equal(codes.filter((code) => code === 4401).length, 40);
    t.equal((await call('GET', '/api/health/live')).status, 200);
  },
);

t.test('counts the frames of all sockets of an account together', async (t) => {
  const user = await test.createUser();
  const headers = { authorization: `Bearer ${user.accessToken}` };
  const sockets = Array.from({ length: 8 }, () => openSocket(t, address, { headers }));
  for (const one of sockets) await one.waitForEvent('ready');
  const closed: number[] = [];
  for (const { socket } of sockets) socket.on('close', (code) => closed.push(code));
  // Below the limit of each socket, above that of the account.
  const flood = setInterval(() => {
    for (const { socket } of sockets) if (socket.readyState === socket.OPEN) socket.pong();
  }, 70);
  await waitForCondition('some are closed', () => closed.length > 0);
  clearInterval(flood);
  t.same([...new Set(closed)], [1008]);
});

t.test('treats other requests with an Upgrade as ordinary ones', async (t) => {
  const body = JSON.stringify({ email: 'nobody@example.org', password: 'not the password' });
  const length = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  const upgrade = (name: string) => `connection: Upgrade, close\r\nupgrade: ${name}\r\n`;
  for (const [head, text, status] of [
    [`POST /api/auth/login HTTP/1.1\r\nhost: x\r\n${length}${upgrade('h2c')}`, body, 401],
    [`GET /api/qrcodes HTTP/1.1\r\nhost: x\r\n${upgrade('websocket')}`, '', 401],
    [`POST /api/realtime HTTP/1.1\r\nhost: x\r\n${length}${upgrade('websocket')}`, body, 405],
    [`GET /api/realtime HTTP/1.1\r\nhost: x\r\n${upgrade('h2c')}`, '', 400],
  ] as const) {
    const socket = connect(portOf(), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.write(`${head}\r\n${text}`);
    await waitForCondition('an answer', () => socket.destroyed || socket.readableEnded);
    t.match(answer, new RegExp(`^HTTP/1.1 ${status} `), head);
  }
  t.ok(isProblem(await call('GET', '/api/realtime'), 400, 'VALIDATION_FAILED'));
});

function portOf(): number {
  return (app.server.address() as AddressInfo).port;
}

/** Create the header of a masked text frame (RFC 6455, section 5.2). */
function frameHead(length: number): Buffer {
  const head = Buffer.alloc(14);
  head.set([0x81, 0xff]);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** Open a raw socket, send bytes, and return the close code. */
async function closedBy(bytes: Buffer): Promise<number> {
  const socket = connect(portOf(), '127.0.0.1');
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
  });
  socket.on('error', () => undefined);
  const key = Buffer.alloc(16).toString('base64');
  socket.write(
    `GET /api/realtime HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`,
  );
  await waitForCondition('it is open', () => received.includes('\r\n\r\n'));
  const after = received.indexOf('\r\n\r\n') + 4;
  socket.write(bytes);
  await waitForCondition('a close', () => received.length >= after + 4);
  socket.destroy();
  return received.readUInt16BE(after + 2);
}
