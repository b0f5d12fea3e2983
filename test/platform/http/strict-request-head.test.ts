import { corsPlugin, describeMethods } from '../../../src/platform/http/cors.ts';
import { jsonBodyPlugin } from '../../../src/platform/http/json-body.ts';
import { sendRequestId } from '../../../src/platform/http/request-id.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import {
  createSecurityHeadersStep,
  securityHeadersPlugin,
} from '../../../src/platform/http/security-headers.ts';
import {
  rejectInvalidHead,
  strictRequestHeadPlugin,
} from '../../../src/platform/http/strict-request-head.ts';
import { t } from '../../tap.ts';
import { createBareApp, listenOnFreePort, parseJsonResponse, parseStatus, sendRaw } from './helper.ts';

const HOST = 'Host: x\r\n';
const CLOSE = 'Connection: close\r\n';
const TYPE = 'Content-Type: application/json\r\n';
const BODY = 'Content-Length: 2\r\n\r\n{}';
const CHUNKS = '2\r\n{}\r\n0\r\n\r\n';
/** More fields than Node's default limit, in a head of legal size. */
const JUNK = 'a:\r\n'.repeat(2_500);
const NEXT = `GET /api/thing HTTP/1.1\r\n${HOST}${CLOSE}\r\n`;

async function startServer(t: Parameters<typeof createBareApp>[0]) {
  const app = await createBareApp(t);
  await app.register(securityHeadersPlugin, { https: false });
  await app.register(strictRequestHeadPlugin);
  addRequestSteps(
    app,
    sendRequestId,
    createSecurityHeadersStep({ https: false }),
    rejectInvalidHead,
    describeMethods,
  );
  await app.register(corsPlugin, { origins: 'any' });
  await app.register(jsonBodyPlugin);
  let reached = 0;
  const handler = () => {
    reached++;
    return { ok: true };
  };
  app.get('/', handler);
  app.get('/api/thing', handler);
  app.post('/api/thing', handler);
  return { port: await listenOnFreePort(app), reached: () => reached };
}

t.test('responds 400 to ambiguous request headers and closes the connection', async (t) => {
  const { port, reached } = await startServer(t);
  for (const [head, field] of [
    [`GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`, 'host'],
    [`GET / HTTP/1.1\r\nHost: x\r\nhOST: x\r\n\r\n`, 'host'],
    [`OPTIONS /api/thing HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`, 'host'],
    [`GET /nowhere HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`, 'host'],
    [`POST /api/thing HTTP/1.1\r\n${HOST}${TYPE}Content-Type: text/plain\r\n${BODY}`, 'content-type'],
    [
      `POST /api/thing HTTP/1.1\r\n${HOST}${TYPE}Transfer-Encoding: gzip, chunked\r\n\r\n${CHUNKS}`,
      'transfer-encoding',
    ],
    [
      `POST /api/thing HTTP/1.1\r\n${HOST}${TYPE}Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`,
      'transfer-encoding',
    ],
    [`GET /api/thing HTTP/1.1\r\n${TYPE}\r\n`, 'host'],
    [`GET /api/thing HTTP/1.1\r\nHost: a b\r\n\r\n`, 'host'],
    [`GET /api/thing HTTP/1.1\r\n${HOST}${JUNK}Host: y\r\n\r\n`, 'host'],
    [
      `POST /api/thing HTTP/1.1\r\n${HOST}${TYPE}${JUNK}Transfer-Encoding: gzip, chunked\r\n\r\n${CHUNKS}`,
      'transfer-encoding',
    ],
    [`GET * HTTP/1.1\r\n${HOST}\r\n`, 'path'],
    [`GET *api/thing HTTP/1.1\r\n${HOST}\r\n`, 'path'],
    [`OPTIONS *api/thing HTTP/1.1\r\n${HOST}\r\n`, 'path'],
  ] as const) {
    const answer = await sendRaw(port, head + NEXT);
    t.equal(answer.match(/HTTP\/1\.1 \d/g)?.length, 1, 'what follows is not read');
    t.match(parseJsonResponse(answer), { status: 400, code: 'VALIDATION_FAILED', errors: [{ field }] }, head);
    t.match(answer, /content-type: application\/problem\+json/);
    t.match(answer, /x-content-type-options: nosniff/);
  }
  for (const coding of ['gzip', 'identity', 'chunked;q=1']) {
    const head = `POST /api/thing HTTP/1.1\r\n${HOST}${TYPE}Transfer-Encoding: ${coding}\r\n\r\n${CHUNKS}`;
    t.equal(parseStatus(await sendRaw(port, head)), 400, `Node itself refuses "${coding}"`);
  }
  const empty = `POST /api/thing HTTP/1.1\r\n${HOST}${TYPE}Transfer-Encoding: \r\n\r\n`;
  t.equal(
    parseStatus(await sendRaw(port, empty + NEXT)),
    400,
    'an empty one is refused by newer Nodes, or by us',
  );
  t.equal(reached(), 0);
});

t.test('serves requests with valid heads', async (t) => {
  const { port } = await startServer(t);
  for (const [head, status] of [
    [NEXT, 200],
    [`GET http://x/api/thing HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 200],
    [`GET / HTTP/1.0\r\n\r\n`, 200],
    [`POST /api/thing HTTP/1.1\r\n${HOST}${CLOSE}${TYPE}Transfer-Encoding: Chunked\r\n\r\n${CHUNKS}`, 200],
    [`POST /api/thing HTTP/1.1\r\n${HOST}${CLOSE}${TYPE}Content-Encoding: Identity\r\n${BODY}`, 200],
    [`GET /api/thing HTTP/1.1\r\n${HOST}${CLOSE}Content-Encoding: gzip\r\n\r\n`, 200],
    [`OPTIONS * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 204],
  ] as const) {
    t.equal(parseStatus(await sendRaw(port, head)), status, head);
  }
  const continued = await sendRaw(
    port,
    `POST /api/thing HTTP/1.1\r\n${HOST}${CLOSE}${TYPE}Expect: 100-Continue\r\n${BODY}`,
  );
  t.match(continued, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});

t.test('responds 415 to a body with a content coding and keeps the connection usable', async (t) => {
  const { port, reached } = await startServer(t);
  for (const coding of ['gzip', 'br', 'identity, gzip', 'unknown']) {
    const head = `POST /api/thing HTTP/1.1\r\n${HOST}${TYPE}Content-Encoding: ${coding}\r\n`;
    for (const body of [BODY, `Transfer-Encoding: chunked\r\n\r\n${CHUNKS}`]) {
      const before = reached();
      const answer = await sendRaw(port, head + body, NEXT);
      t.same(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 415', 'HTTP/1.1 200'], coding);
      t.match(answer, /"code":"UNSUPPORTED_MEDIA_TYPE"/);
      t.match(answer, /accept-encoding: identity/);
      t.equal(reached(), before + 1, 'only the next request');
    }
  }
  const nowhere = `POST /nowhere HTTP/1.1\r\n${HOST}${CLOSE}Content-Encoding: gzip\r\n${BODY}`;
  t.equal(parseStatus(await sendRaw(port, nowhere)), 404, 'an unknown path is 404 whatever its body');
});

t.test('responds 417 to an expectation other than 100-continue and closes the connection', async (t) => {
  const { port, reached } = await startServer(t);
  for (const expectation of ['x', '200-ok', '100-continue, x', '']) {
    const head = `POST /api/thing HTTP/1.1\r\n${HOST}${TYPE}Expect: ${expectation}\r\n`;
    const answer = await sendRaw(port, `${head}Content-Length: 2\r\n\r\n`);
    const final = answer.slice(answer.lastIndexOf('HTTP/1.1 '));
    t.equal(parseStatus(final), 417, expectation);
    t.match(parseJsonResponse(final), { status: 417, code: 'EXPECTATION_FAILED', requestId: String });
    t.match(final, /content-type: application\/problem\+json/);
    t.match(final, /x-request-id: /);
    t.match(final, /connection: close/i);
  }
  t.equal(reached(), 0);
});
