import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { limitHttpConnections } from '../../../src/platform/http/connection-limits.ts';
import { jsonBodyPlugin } from '../../../src/platform/http/json-body.ts';
import { problemDetailsPlugin } from '../../../src/platform/http/problem-details.ts';
import { createFastifyOptions } from '../../../src/platform/http/server-options.ts';
import { t } from '../../tap.ts';
import {
  createBareApp,
  getPort,
  listenOnFreePort,
  parseJsonResponse,
  parseStatus,
  sendRaw,
} from './helper.ts';

const HOST = 'Host: x\r\n';
const CLOSE = 'Connection: close\r\n';

/** Far more than it takes: a connection that stays open fails the test and does not hang it. */
const MAX_CUT_MS = 20_000;

async function startServer(t: Parameters<typeof createBareApp>[0]) {
  const app = await createBareApp(t);
  await app.register(jsonBodyPlugin);
  let reached = 0;
  app.get('/api/thing/:id', () => {
    reached++;
    return { ok: true };
  });
  app.post('/api/thing', () => {
    reached++;
    return { ok: true };
  });
  return { app, port: await listenOnFreePort(app), reached: () => reached };
}

t.test('responds 408 to headers that are incomplete after 5 s and closes the connection', async (t) => {
  const { port, reached } = await startServer(t);
  const slow = Array.from({ length: 200 }, (_, n) =>
    n % 2 === 0 ? sendRaw(port) : sendRaw(port, `GET /api/thing/1 HTTP/1.1\r\n${HOST}X-A: `),
  );
  const good = await sendRaw(port, `GET /api/thing/1 HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
  t.equal(parseStatus(good), 200, 'others are served meanwhile');
  const answers = await Promise.all(slow);
  t.ok(answers.every((answer) => parseStatus(answer) === 408));
  for (const answer of answers.slice(0, 2)) {
    t.equal(parseStatus(answer), 408);
    t.match(answer, /content-type: application\/problem\+json/);
    t.match(answer, /connection: close/i);
    t.match(parseJsonResponse(answer), { code: 'REQUEST_TIMEOUT', status: 408, requestId: String });
  }
  t.equal(reached(), 1);
});

t.test('waits for a slow handler, then disconnects a client that does not read its response', async (t) => {
  const app = await createBareApp(t);
  t.equal(app.server.timeout, 30_000);
  app.get('/', async ({ raw }) => {
    raw.socket.setTimeout(200);
    await once(raw.socket, 'timeout');
    return Buffer.alloc(50_000_000);
  });
  const cut = new Promise<number>((resolve) =>
    app.server.once('connection', (peer: Socket) => peer.once('close', () => resolve(peer.bytesWritten))),
  );
  const socket = connect(await listenOnFreePort(app), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n`);
  const sentBytes = await Promise.race([cut, wait(MAX_CUT_MS, null, { ref: false })]);
  socket.destroy();
  t.not(sentBytes, null, 'it is cut');
  t.not(sentBytes, 0, 'but not before the response');
});

t.test('responds 431 to headers above 16 KB and 400 to a bad %-escape, as problem documents', async (t) => {
  const { port } = await startServer(t);
  const large = await sendRaw(port, `GET / HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(20_000)}\r\n\r\n`);
  t.match(parseJsonResponse(large), {
    status: 431,
    code: 'HEADERS_TOO_LARGE',
    type: '/api/docs/errors/HEADERS_TOO_LARGE',
  });
  for (const path of ['/api/thing/%zz', '/api/thing/%ff', '/api/thing/%']) {
    const answer = await sendRaw(port, `GET ${path} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
    t.match(
      parseJsonResponse(answer),
      { status: 400, code: 'VALIDATION_FAILED', errors: [{ field: 'path' }] },
      path,
    );
    t.match(answer, /x-content-type-options: nosniff/i);
    t.match(answer, /cache-control: no-store/i);
    t.notMatch(parseJsonResponse(answer).detail, /%/);
  }
  const upload = await sendRaw(port, `GET /uploads/qrcodes/%c0%ae%c0%ae HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
  t.equal(parseStatus(upload), 404);
});

t.test(
  'responds 400 to two lengths, folded headers and bare line feeds, and closes the connection',
  async (t) => {
    const { port, reached } = await startServer(t);
    const type = 'Content-Type: application/json\r\n';
    const smuggled = 'GET /api/thing/1 HTTP/1.1\r\nHost: x\r\n\r\n';
    const hostile = [
      `POST /api/thing HTTP/1.1\r\n${HOST}${type}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `POST /api/thing HTTP/1.1\r\n${HOST}${type}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      `POST /api/thing HTTP/1.1\r\n${HOST}${type}Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n`,
      `GET /api/thing/1 HTTP/1.1\r\n${HOST}X-A: b\r\n folded\r\n\r\n`,
      `GET /api/thing/1 HTTP/1.1\nHost: x\n\n`,
      `GET /api/thing/1 HTTP/1.1\r\n${HOST}X\u0000: b\r\n\r\n`,
      `GET /api/thing/1 HTTP/3.7\r\n${HOST}\r\n`,
      'not http at all\r\n\r\n',
    ];
    for (const request of hostile) {
      const answer = await sendRaw(port, request);
      t.equal(parseStatus(answer), 400, JSON.stringify(request.slice(0, 60)));
      t.equal(answer.match(/HTTP\/1\.1 \d/g)?.length, 1, 'a single response');
      t.match(parseJsonResponse(answer), { code: 'VALIDATION_FAILED' });
    }
    t.equal(reached(), 0);
  },
);

t.test('responds 404 to unknown methods and paths, and 405 to others, whatever their body', async (t) => {
  const { app, port } = await startServer(t);
  for (const head of ['FOO /api/thing', 'PROPFIND /', 'GET /favicon.ico', 'GET /robots.txt']) {
    const answer = await sendRaw(port, `${head} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
    t.match(parseJsonResponse(answer), { status: 404, code: 'NOT_FOUND' }, head);
  }
  const answer = await app.inject({
    method: 'POST',
    url: '/nowhere',
    payload: '{',
    headers: { 'content-type': 'application/json' },
  });
  t.match(answer.json(), { status: 404, code: 'NOT_FOUND', title: 'Not found.' });
  const put = await app.inject({
    method: 'PUT',
    url: '/api/thing',
    payload: 'x',
    headers: { 'content-type': 'a/b' },
  });
  t.match(put, { statusCode: 405, headers: { allow: 'OPTIONS, POST' } });
  const trace = await sendRaw(port, `TRACE /api/thing HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
  t.match(parseJsonResponse(trace), { status: 405, code: 'METHOD_NOT_ALLOWED' });
});

t.test(
  'responds 413 to a body above 1 MiB so that the sender sees it, and keeps the connection usable',
  async (t) => {
    const { port, reached } = await startServer(t);
    const head = (length: number) =>
      `POST /api/thing HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    const large = Buffer.alloc(3_000_000, ' ');
    const next = `GET /api/thing/1 HTTP/1.1\r\n${HOST}${CLOSE}\r\n`;
    const answer = await sendRaw(port, head(large.length), large, next);
    t.same(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 200']);
    t.equal(reached(), 1);
  },
);

t.test('closes connections beyond the limit immediately and serves the others', async (t) => {
  const { app, port } = await startServer(t);
  t.equal(app.server.maxConnections, 10_000);
  limitHttpConnections(app.server, { scale: 0.001, trustProxy: [], log: { warn() {} } });
  t.equal(app.server.maxConnections, 100);
  app.server.maxConnections = 1;
  const openSocket = connect(port, '127.0.0.1');
  await new Promise((done) => openSocket.once('connect', done));
  t.equal(await sendRaw(port, `GET /api/thing/1 HTTP/1.1\r\n${HOST}${CLOSE}\r\n`), '');
  openSocket.destroy();
  await wait(50);
  t.equal(parseStatus(await sendRaw(port, `GET /api/thing/1 HTTP/1.1\r\n${HOST}${CLOSE}\r\n`)), 200);
});

t.test('an address has a share of the connections, which proxies do not have', async (t) => {
  const warnings: [object, string][] = [];
  const log = { warn: (details: object, message: string) => void warnings.push([details, message]) };
  const { app, port } = await startServer(t);
  limitHttpConnections(app.server, { scale: 0.001, trustProxy: ['127.0.0.9/32'], log });
  const sockets = new Set<Socket>();
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  /** True if it stays open until its response, and then. */
  const ask = async (localAddress: string): Promise<boolean> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.write(`GET /api/thing/1 HTTP/1.1\r\n${HOST}\r\n`);
    return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
  };
  for (let index = 0; index < 10; index++) t.equal(await ask('127.0.0.2'), true, `${index}`);
  t.equal(await ask('127.0.0.2'), false, 'beyond a tenth');
  t.same(warnings, [
    [
      { network: '127.0.0.0', connections: 11 },
      'connections: 11 of 100 are open, further ones of one network are closed',
    ],
  ]);
  t.equal(await ask('127.0.0.3'), true, 'others are served');
  for (let index = 0; index < 30; index++) t.equal(await ask('127.0.0.9'), true, 'a proxy');

  const [first] = sockets;
  first?.destroy();
  while (!(await ask('127.0.0.2'))) await wait(10);
  t.pass('its share is free again');

  t.equal(sockets.size, 41);
  for (let index = 0; index < 40; index++) t.equal(await ask('127.0.0.9'), true);
  while (sockets.size > 10) await wait(10);
  t.pass('idle ones are closed above 80 %');
  t.equal(await ask('127.0.0.2'), true);
});

t.test('answers requests under way while closing, then closes the connection', async (t) => {
  const app = await createBareApp(t);
  let go: () => void = () => undefined;
  const requested = new Promise<void>((done) => {
    app.get('/slow', async () => {
      done();
      await new Promise<void>((resume) => {
        go = resume;
      });
      return { ok: true };
    });
  });
  const port = await listenOnFreePort(app);
  const answer = sendRaw(port, `GET /slow HTTP/1.1\r\n${HOST}\r\n`);
  await requested;
  const closed = app.close();
  go();
  t.equal(parseStatus(await answer), 200);
  await closed;
});

t.test('the factory sends complete responses with only the error handler', async (t) => {
  const app: FastifyInstance = Fastify(createFastifyOptions({ trustProxy: [], https: true, log: false }));
  await app.register(problemDetailsPlugin);
  t.teardown(() => app.close());
  await listenOnFreePort(app);
  const answer = await sendRaw(getPort(app), `GET /%zz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
  t.match(answer, /strict-transport-security: max-age=/i);
});

t.test('an answer to a malformed request has the security headers, over https also HSTS', async (t) => {
  for (const https of [true, false]) {
    const app: FastifyInstance = Fastify(createFastifyOptions({ trustProxy: [], https, log: false }));
    t.teardown(() => app.close());
    await listenOnFreePort(app);
    const answer = await sendRaw(getPort(app), 'not http at all\r\n\r\n');
    t.equal(parseStatus(answer), 400);
    t.match(answer, /\r\ncontent-security-policy: default-src 'none'; .*frame-ancestors 'none'/i);
    t.match(answer, /\r\nx-content-type-options: nosniff\r\n/i);
    t.equal(/\r\nstrict-transport-security: /i.test(answer), https);
  }
});
