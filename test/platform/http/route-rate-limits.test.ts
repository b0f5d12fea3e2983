import {
  MAX_REQUESTS_PER_API_KEY,
  MAX_REQUESTS_PER_CLIENT,
  MAX_REQUESTS_PER_CODE,
} from '../../../src/platform/http/rate-limit-numbers.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { ROUTES_BY_RATE_LIMIT_CLASS } from './route-rate-limit-classes.ts';

t.test('every route has the rate limit class of the table', async (t) => {
  const { app } = await startTestApp(t);
  const expected = new Map(
    Object.entries(ROUTES_BY_RATE_LIMIT_CLASS).flatMap(([limitClass, routes]) =>
      routes.map((route) => [route, limitClass] as const),
    ),
  );
  const declared = app.declaredRoutes();
  const names = declared.map(({ method, url }) => `${method} ${url}`);
  for (const [index, { method, url, rateLimitClass }] of declared.entries()) {
    const name = names[index] ?? '';
    const ofReads = /^\/app(\/|$)/.test(url) ? 'page' : 'read';
    const byDefault = method === 'GET' ? ofReads : 'write';
    t.equal(rateLimitClass ?? byDefault, expected.get(name) ?? byDefault, name);
  }
  t.same(
    [...expected.keys()].filter((name) => !names.includes(name)),
    [],
    'every route of the table exists',
  );
});

t.test('each class has its number of requests a minute', async (t) => {
  t.same(MAX_REQUESTS_PER_CLIENT, {
    read: 300,
    write: 120,
    auth: 20,
    refresh: 600,
    'public-read': 120,
    'public-scan': 300,
    upload: 20,
    static: 600,
    page: 300,
    webhook: 30_000,
    'not-found': 60,
  });
  t.same(MAX_REQUESTS_PER_API_KEY, { read: 600, write: 300 });
  t.same(MAX_REQUESTS_PER_CODE, { 'public-scan': 30 });
});
