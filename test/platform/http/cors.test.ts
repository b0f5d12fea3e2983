import { corsPlugin, describeMethods, isOriginAllowed } from '../../../src/platform/http/cors.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import { ServiceError } from '../../../src/shared/errors.ts';
import { t } from '../../tap.ts';
import { createBareApp } from './helper.ts';

async function buildTestServer(t: Parameters<typeof createBareApp>[0], origins: string[] | 'any') {
  const app = await createBareApp(t);
  addRequestSteps(app, describeMethods);
  await app.register(corsPlugin, { origins });
  app.register(
    async (zone) => {
      zone.addHook('onRequest', async () => {
        throw new ServiceError('UNAUTHENTICATED');
      });
      zone.get('/things/:id', () => ({}));
      zone.delete('/things/:id', () => ({}));
      zone.post('/things', () => ({}));
    },
    { prefix: '/api' },
  );
  app.get('/', () => ({ ok: true }));
  return app;
}

const PREFLIGHT = {
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'authorization,content-type',
};

t.test(
  'OPTIONS on every application path is 204 and empty, with and without any preflight headers',
  async (t) => {
    const app = await buildTestServer(t, ['https://app.example']);
    const known = ['/', '/api/things', '/api/things/0123?x=1', '/s/0123', '/uploads/qrcodes/a.png', '/api'];
    const unknown = ['/api/auth/google/callback', '/api/webhooks/stripe', '/api/nothing'];
    for (const url of [...known, ...unknown]) {
      for (const headers of [
        {},
        { origin: 'https://app.example' },
        { origin: 'https://evil.example', ...PREFLIGHT },
      ]) {
        const answer = await app.inject({ method: 'OPTIONS', url, headers });
        t.equal(answer.statusCode, 204, url);
        t.equal(answer.body, '');
      }
    }
    for (const url of ['/favicon.ico', '/robots.txt', '/apis', '/admin/api/things']) {
      t.equal((await app.inject({ method: 'OPTIONS', url })).statusCode, 404, url);
    }
    t.equal((await app.inject('/api/nothing')).statusCode, 404, 'other methods on an unknown path are 404');
  },
);

t.test(
  'only listed origins can read a response, never null or with cookies; Vary includes Origin',
  async (t) => {
    const app = await buildTestServer(t, ['https://app.example']);
    const origins: [string, string | undefined][] = [
      ['https://app.example', 'https://app.example'],
      ['https://app.example.evil', undefined],
      ['http://app.example', undefined],
      ['null', undefined],
      ['*', undefined],
    ];
    for (const method of ['GET', 'OPTIONS'] as const) {
      for (const [origin, allowed] of origins) {
        const { headers } = await app.inject({ method, url: '/', headers: { origin, ...PREFLIGHT } });
        t.equal(headers['access-control-allow-origin'], allowed, `${method} ${origin}`);
        t.notOk('access-control-allow-credentials' in headers);
        t.match(headers.vary, 'Origin');
      }
    }
  },
);

t.test('outside production every origin with a scheme can read, except null', async (t) => {
  const app = await buildTestServer(t, 'any');
  for (const origin of ['http://localhost:5173', 'https://x.example', 'capacitor://localhost']) {
    const { headers } = await app.inject({ url: '/', headers: { origin } });
    t.equal(headers['access-control-allow-origin'], origin);
  }
  for (const origin of ['null', '*', '']) {
    const { headers } = await app.inject({ url: '/', headers: { origin } });
    t.notOk(headers['access-control-allow-origin'], origin);
  }
});

t.test(
  'a preflight allows the methods and headers of the API; responses expose headers for clients',
  async (t) => {
    const app = await buildTestServer(t, 'any');
    const origin = 'https://app.example';
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/api/things/1',
      headers: { origin, ...PREFLIGHT },
    });
    t.match(preflight.headers['access-control-allow-methods'], /PUT.*PATCH.*DELETE/);
    t.equal(preflight.headers['access-control-allow-headers'], 'authorization,content-type');
    const answer = await app.inject({ url: '/api/things/1', headers: { origin } });
    t.equal(answer.statusCode, 401);
    t.equal(answer.headers['access-control-allow-origin'], origin, 'errors can be read too');
    for (const name of [
      'API-Version',
      'Allow',
      'Deprecation',
      'ETag',
      'Location',
      'Sunset',
      'WWW-Authenticate',
      'Retry-After',
      'RateLimit',
      'X-RateLimit-Remaining',
      'X-Request-Id',
      'Idempotency-Replayed',
    ]) {
      t.match(answer.headers['access-control-expose-headers'], name);
    }
  },
);

t.test('the origin of sandboxed frames and local files is never allowed', async (t) => {
  for (const origin of ['null', '', 'example.org', 'https://example.org/path'])
    t.notOk(isOriginAllowed(origin, 'any'), origin);
  t.ok(isOriginAllowed('https://example.org', 'any'));
  t.notOk(isOriginAllowed('null', ['https://example.org']));
});
