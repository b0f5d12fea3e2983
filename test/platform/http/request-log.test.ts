import Fastify from 'fastify';
import { corsPlugin, describeMethods } from '../../../src/platform/http/cors.ts';
import { serializeErrorForLog } from '../../../src/platform/http/error-log.ts';
import { problemDetailsPlugin } from '../../../src/platform/http/problem-details.ts';
import { sendRequestId } from '../../../src/platform/http/request-id.ts';
import { logClosedRequest, requestLogPlugin } from '../../../src/platform/http/request-log.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import { createFastifyOptions } from '../../../src/platform/http/server-options.ts';
import { t } from '../../tap.ts';
import { listenOnFreePort, sendRaw } from './helper.ts';

t.test('logs a request once, as method and route without path, query, header, body or token', async (t) => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const app = Fastify(
    createFastifyOptions({ trustProxy: [], https: false, log: { level: 'debug', stream } }),
  );
  t.teardown(() => app.close());
  await app.register(problemDetailsPlugin);
  await app.register(requestLogPlugin);
  addRequestSteps(app, sendRequestId, logClosedRequest);
  app.post('/api/things/:id', (request) => {
    request.log.info({ headers: request.headers, req: request }, 'seen');
    return {};
  });
  app.get('/api/shared/:token', () => ({}));
  const answer = await app.inject({
    method: 'POST',
    url: '/api/things/canary-id?pin=canary-query',
    payload: { password: 'canary-body' },
    headers: { authorization: 'Bearer canary-header', cookie: 'a=canary-cookie' },
  });
  await app.inject('/api/shared/canary-token');
  const log = lines.join('');
  t.notMatch(log, 'canary');
  const completed = lines.map((line) => JSON.parse(line)).filter((line) => line.msg === 'request completed');
  t.match(completed, [
    {
      req: { method: 'POST', route: '/api/things/:id' },
      res: { statusCode: 200 },
      ms: Number,
      requestId: answer.headers['x-request-id'],
    },
    { req: { method: 'GET', route: '/api/shared/:token' } },
  ]);
});

t.test('logs only a known first segment of an unknown path', async (t) => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const app = Fastify(
    createFastifyOptions({ trustProxy: [], https: false, log: { level: 'debug', stream } }),
  );
  t.teardown(() => app.close());
  await app.register(problemDetailsPlugin);
  await app.register(requestLogPlugin);
  addRequestSteps(app, logClosedRequest, describeMethods);
  await app.register(corsPlugin, { origins: 'any' });
  app.get('/', () => ({}));
  const port = await listenOnFreePort(app);
  const logRequest = async (target: string) => {
    lines.length = 0;
    await sendRaw(port, `${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    t.notMatch(lines.join(''), 'hunter2', target);
    return lines.map((line) => JSON.parse(line).req).filter(Boolean);
  };
  for (const [target, logged] of [
    ['GET /api/hunter2', { path: '/api/…' }],
    ['GET /api?hunter2', { path: '/…' }],
    ['GET /hunter2', { path: '/…' }],
    ['GET /hunter2/api/x?token=hunter2', { path: '/…' }],
    ['DELETE /s/hunter2/x', { path: '/s/…' }],
    ['GET /uploads/hunter2', { path: '/uploads/…' }],
    ['GET /apihunter2', { path: '/…' }],
    ['GET http://x/hunter2', { path: '/…' }],
    ['GET /api/%zzhunter2', undefined],
    ['OPTIONS /hunter2', { path: '/…' }],
    ['OPTIONS /api/hunter2', { route: '/api/*' }],
    ['GET /?hunter2', { route: '/' }],
  ] as const) {
    const method = target.split(' ')[0];
    t.match(await logRequest(target), logged === undefined ? [] : [{ method, ...logged }], target);
  }
});

t.test('never logs the message of an error, whoever logs it', async (t) => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const app = Fastify(
    createFastifyOptions({ trustProxy: [], https: false, log: { level: 'debug', stream } }),
  );
  t.teardown(() => app.close());
  await app.register(problemDetailsPlugin);
  await app.register(requestLogPlugin);
  app.get('/fails', () => {
    throw new TypeError('canary-thrown', { cause: new Error('canary-cause') });
  });
  app.get('/logs', (request) => {
    request.log.error({ err: new RangeError('canary-logged') }, 'noticed');
    request.log.warn(new SyntaxError('canary-alone'), 'noticed too');
    return {};
  });
  t.equal((await app.inject('/fails')).statusCode, 500);
  await app.inject('/logs');
  const errors = lines.map((line) => JSON.parse(line).err).filter(Boolean);
  t.match(errors, [
    { name: 'RangeError', message: 'hidden', stack: '' },
    { name: 'SyntaxError', message: 'hidden', stack: '' },
  ]);
  t.notMatch(lines.join(''), 'canary-');
});

t.test('logs an error by name, code, frames and causes, never by its message', async (t) => {
  const cause = Object.assign(new RangeError('canary\n    at canary (file:1)'), { code: 'P2002' });
  const described = serializeErrorForLog(new Error('canary outside', { cause }));
  t.match(described, { name: 'Error', frames: Array, cause: { name: 'RangeError', code: 'P2002' } });
  t.match(described.frames[0], 'request-log.test.');
  t.notMatch(JSON.stringify(described), 'canary');
  t.same(serializeErrorForLog('canary'), { name: 'string', frames: [] });
});
