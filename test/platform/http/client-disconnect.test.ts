import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import type { Test } from 'tap';
import { createClientAddressStep } from '../../../src/platform/http/client-address.ts';
import {
  dropDisconnectedClient,
  rememberClientAddresses,
} from '../../../src/platform/http/client-disconnect.ts';
import { problemDetailsPlugin } from '../../../src/platform/http/problem-details.ts';
import { rateLimitsPlugin } from '../../../src/platform/http/rate-limits.ts';
import { logClosedRequest, requestLogPlugin } from '../../../src/platform/http/request-log.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import { createFastifyOptions } from '../../../src/platform/http/server-options.ts';
import { getRequestContext } from '../../../src/platform/request-context.ts';
import { createTestGate } from '../../gate.ts';
import { t } from '../../tap.ts';
import { listenOnFreePort, NO_PROXIES, sendRaw } from './helper.ts';

const INFO = 30;
const REQUEST = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n';
const LAST_REQUEST = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

async function startServer(t: Test, handle: () => Promise<void>) {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const app = Fastify(createFastifyOptions({ trustProxy: [], https: false, log: { level: 'info', stream } }));
  t.teardown(() => app.close());
  await app.register(requestLogPlugin);
  await app.register(problemDetailsPlugin);
  rememberClientAddresses(app.server);
  addRequestSteps(app, createClientAddressStep(app, NO_PROXIES), logClosedRequest, dropDisconnectedClient);
  await app.register(rateLimitsPlugin, { scale: 1_000, secret: 'a'.repeat(32) });
  app.get('/slow', async (request) => {
    await handle();
    return { address: getRequestContext(request).address };
  });
  app.get('/last', () => ({}));
  const port = await listenOnFreePort(app);
  const readLog = () => lines.map((line) => JSON.parse(line)).filter((line) => line.req);
  return { port, readLog, lines };
}

async function openConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

t.test('clients that send a request and reset the connection cause no error', async (t) => {
  const { port, readLog, lines } = await startServer(t, async () => {});
  for (let round = 0; round < 10; round++) {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openConnection(port)));
    for (const socket of sockets) {
      socket.write(REQUEST.repeat(3));
      socket.resetAndDestroy();
    }
  }
  t.match(await sendRaw(port, LAST_REQUEST), /^HTTP\/1.1 200/);
  t.same(
    readLog().filter(({ res }) => ![200, 499].includes(res.statusCode)),
    [],
  );
  t.same(
    lines.filter((line) => JSON.parse(line).level > INFO),
    [],
  );
});

t.test('a client that leaves during its request is logged once, as 499 at level info', async (t) => {
  const [started, release] = [createTestGate(), createTestGate()];
  const { port, readLog } = await startServer(t, async () => {
    started.open();
    await release.whenOpened;
  });
  const socket = await openConnection(port);
  socket.write(REQUEST);
  await started.whenOpened;
  socket.resetAndDestroy();
  while (readLog().length === 0) await new Promise((done) => setImmediate(done));
  release.open();
  await sendRaw(port, LAST_REQUEST);
  t.match(readLog(), [
    { level: INFO, msg: 'client closed request', req: { route: '/slow' }, res: { statusCode: 499 } },
    { level: INFO, msg: 'request completed', req: { route: '/last' } },
  ]);
  t.equal(readLog().length, 2);
});
