import { setTimeout as wait } from 'node:timers/promises';
import { createBodyTimeout } from '../../../src/platform/http/body-timeout.ts';
import { jsonBodyPlugin } from '../../../src/platform/http/json-body.ts';
import { multipartPlugin } from '../../../src/platform/http/multipart.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import { ServiceError } from '../../../src/shared/errors.ts';
import { t } from '../../tap.ts';
import { createBareApp, listenOnFreePort, parseJsonResponse, parseStatus, sendRaw } from './helper.ts';

const LIMITS = { wholeMs: 300, idleMs: 300, windowMs: 600, bytesPerSecond: 2_000, drainMs: 200, tickMs: 20 };
const JSON_HEAD = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n';
const FORM_HEAD =
  'Host: x\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n';
const PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';

async function buildTestServer(t: Parameters<typeof createBareApp>[0]) {
  const app = await createBareApp(t);
  addRequestSteps(app, createBodyTimeout(LIMITS));
  await app.register(jsonBodyPlugin);
  await app.register(multipartPlugin);
  const reached: string[] = [];
  app.post('/json', (request) => {
    reached.push('json');
    return { got: request.body };
  });
  app.post('/form', { config: { form: { files: { file: { maxBytes: 1_000_000 } } } } }, (request) => {
    reached.push('form');
    return { bytes: request.formFiles.file?.length };
  });
  const streamed = {
    name: 'file',
    maxBytes: 1_000_000,
    async consume(_request: unknown, { content }: { content: AsyncIterable<Uint8Array> }) {
      let chunkCount = 0;
      for await (const _ of content) {
        chunkCount += 1;
        if (chunkCount === 2 && reached.includes('slow')) await wait(1_000);
      }
    },
  };
  app.post('/streamed', { config: { form: { files: {}, streamed } } }, () => {
    reached.push('streamed');
    return {};
  });
  app.post(
    '/refused',
    {
      onRequest: async () => {
        throw new ServiceError('UNAUTHENTICATED');
      },
    },
    () => ({}),
  );
  app.get('/', () => ({ ok: true }));
  return { app, port: await listenOnFreePort(app), reached };
}

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

t.test(
  'responds 408 and closes the connection for a JSON body that is incomplete after its time limit',
  async (t) => {
    const { port, reached } = await buildTestServer(t);
    const drip = Array.from({ length: 20 }, () => [' ', 50]).flat();
    const answers = await Promise.all([
      sendRaw(port, `POST /json HTTP/1.1\r\n${JSON_HEAD}`),
      sendRaw(port, `POST /json HTTP/1.1\r\n${JSON_HEAD}`, ...drip),
    ]);
    for (const answer of answers) {
      t.equal(parseStatus(answer), 408);
      t.match(parseJsonResponse(answer), { status: 408, code: 'REQUEST_TIMEOUT' });
      t.match(answer, /connection: close/i);
    }
    t.same(reached, []);
  },
);

t.test('responds 408 to a stalled form, also in the middle of a file', async (t) => {
  const { port, reached } = await buildTestServer(t);
  const answers = await Promise.all([
    sendRaw(port, `POST /form HTTP/1.1\r\n${FORM_HEAD}`),
    sendRaw(port, `POST /form HTTP/1.1\r\n${FORM_HEAD}`, chunk(PART), chunk('abc')),
    sendRaw(port, `POST /streamed HTTP/1.1\r\n${FORM_HEAD}`, chunk(PART), chunk('abc')),
  ]);
  for (const answer of answers) {
    t.equal(parseStatus(answer), 408);
    t.match(parseJsonResponse(answer), { status: 408, code: 'REQUEST_TIMEOUT' });
    t.match(answer, /connection: close/i);
  }
  t.same(reached, []);
});

t.test('responds 408 to a form below the minimum rate that never stalls', async (t) => {
  const { port, reached } = await buildTestServer(t);
  const drip = Array.from({ length: 40 }, () => [chunk('abc'), 50]).flat();
  const end = [chunk('\r\n--b--\r\n'), '0\r\n\r\n'];
  const answer = await sendRaw(port, `POST /form HTTP/1.1\r\n${FORM_HEAD}`, chunk(PART), ...drip, ...end);
  t.equal(parseStatus(answer), 408);
  t.same(reached, []);
});

t.test('does not time out a file that the route reads slowly', async (t) => {
  const { port, reached } = await buildTestServer(t);
  reached.push('slow');
  const chunks = Array.from({ length: 14 }, () => chunk('x'.repeat(65_000)));
  const answer = await sendRaw(
    port,
    `POST /streamed HTTP/1.1\r\nConnection: close\r\n${FORM_HEAD}`,
    chunk(PART),
    ...chunks,
    chunk('\r\n--b--\r\n'),
    '0\r\n\r\n',
  );
  t.equal(parseStatus(answer), 200);
  t.same(reached, ['slow', 'streamed']);
});

t.test('reads a form at the minimum rate to its end', async (t) => {
  const { port, reached } = await buildTestServer(t);
  const steady = Array.from({ length: 20 }, () => [chunk('x'.repeat(500)), 50]).flat();
  const answer = await sendRaw(
    port,
    `POST /form HTTP/1.1\r\nConnection: close\r\n${FORM_HEAD}`,
    chunk(PART),
    ...steady,
    chunk('\r\n--b--\r\n'),
    '0\r\n\r\n',
  );
  t.same(parseJsonResponse(answer), { bytes: 10_000 });
  t.same(reached, ['form']);
});

t.test('closes the connection soon after the response to an unfinished body', async (t) => {
  const { port } = await buildTestServer(t);
  // The whole body, in two seconds: read to its end, the next request would be answered.
  const drip = Array.from({ length: 100 }, () => [' ', 20]).flat();
  const next = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  for (const [request, status] of [
    ['POST /refused', 401],
    ['POST /nowhere', 404],
    ['GET /', 200],
  ] as const) {
    const answer = await sendRaw(port, `${request} HTTP/1.1\r\n${JSON_HEAD}`, ...drip, next);
    t.same(answer.match(/HTTP\/1\.1 \d+/g), [`HTTP/1.1 ${status}`], request);
  }
});

t.test('keeps the connection open after a body in time', async (t) => {
  const { port, reached } = await buildTestServer(t);
  const body = `{"a":"${'x'.repeat(92)}"}`;
  const answer = await sendRaw(
    port,
    `POST /json HTTP/1.1\r\n${JSON_HEAD}`,
    body.slice(0, 50),
    100,
    body.slice(50),
    500,
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  t.same(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200']);
  t.same(reached, ['json']);
});
