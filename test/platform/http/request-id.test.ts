import Fastify, { type FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { sendRequestId } from '../../../src/platform/http/request-id.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import { createFastifyOptions } from '../../../src/platform/http/server-options.ts';
import { t } from '../../tap.ts';

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

async function startApp(t: Test, trustProxy: readonly string[]) {
  const app: FastifyInstance = Fastify(createFastifyOptions({ trustProxy, https: false, log: false }));
  t.teardown(() => app.close());
  addRequestSteps(app, sendRequestId);
  app.get('/', (request) => ({ id: request.id }));
  return async (remoteAddress: string, ids: string | string[]) => {
    const { headers, body } = await app.inject({
      url: '/',
      remoteAddress,
      headers: { 'x-request-id': ids as string },
    });
    t.equal(JSON.parse(body).id, headers['x-request-id']);
    return headers['x-request-id'];
  };
}

t.test('a request keeps the id of a trusted proxy', async (t) => {
  const send = await startApp(t, ['10.1.0.0/16', '192.0.2.7', 'fd00::/8']);
  const id = '6f0c9a2e4d1b4f0f8a7e';
  for (const proxy of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', 'fd00::1'])
    t.equal(await send(proxy, id), id, proxy);
  for (const peer of ['10.2.0.1', '192.0.2.8', 'fe80::1', '203.0.113.9'])
    t.match(await send(peer, id), UUID_PATTERN, peer);
  for (const invalid of ['', 'short', 'x'.repeat(65), 'a line\tof text', '{"a":"b"}', 'ünicode-id'])
    t.match(await send('10.1.2.3', invalid), UUID_PATTERN, JSON.stringify(invalid));
});

t.test('a request gets a random id without a trusted proxy', async (t) => {
  const send = await startApp(t, []);
  t.match(await send('127.0.0.1', '6f0c9a2e4d1b4f0f8a7e'), UUID_PATTERN);
});
