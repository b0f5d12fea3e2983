import Fastify from 'fastify';
import t from 'tap';
import { describeError } from '../../../src/platform/http/error-log.ts';
import { problem } from '../../../src/platform/http/problem.ts';
import { requestId } from '../../../src/platform/http/request-id.ts';
import { requestLog } from '../../../src/platform/http/request-log.ts';
import { serverOptions } from '../../../src/platform/http/server-options.ts';

t.test(
  'X5 a request is logged once, as method, route and path: no query, header, body or token',
  async (t) => {
    const lines: string[] = [];
    const stream = { write: (line: string) => lines.push(line) };
    const app = Fastify(serverOptions({ trustProxy: [], https: false, log: { level: 'debug', stream } }));
    t.teardown(() => app.close());
    await app.register(problem);
    await app.register(requestId);
    await app.register(requestLog);
    app.post('/api/things/:id', (request) => {
      request.log.info({ headers: request.headers, req: request }, 'seen');
      return {};
    });
    app.get('/api/shared/:token', () => ({}));
    const answer = await app.inject({
      method: 'POST',
      url: '/api/things/7?pin=canary-query',
      payload: { password: 'canary-body' },
      headers: { authorization: 'Bearer canary-header', cookie: 'a=canary-cookie' },
    });
    await app.inject('/api/shared/canary-token');
    const log = lines.join('');
    t.notMatch(log, 'canary');
    const completed = lines
      .map((line) => JSON.parse(line))
      .filter((line) => line.msg === 'request completed');
    t.match(completed, [
      {
        req: { method: 'POST', route: '/api/things/:id', path: '/api/things/7' },
        res: { statusCode: 200 },
        ms: Number,
        requestId: answer.headers['x-request-id'],
      },
      { req: { method: 'GET', path: '/api/shared/:token' } },
    ]);
  },
);

t.test('X5 an error is described by name, code, frames and causes, never by its message', async (t) => {
  const cause = Object.assign(new RangeError('canary\n    at canary (file:1)'), { code: 'P2002' });
  const described = describeError(new Error('canary outside', { cause }));
  t.match(described, { name: 'Error', frames: Array, cause: { name: 'RangeError', code: 'P2002' } });
  t.match(described.frames[0], 'request-log.test.ts');
  t.notMatch(JSON.stringify(described), 'canary');
  t.same(describeError('canary'), { name: 'string', frames: [] });
});
