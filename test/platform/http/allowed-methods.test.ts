import Fastify from 'fastify';
import { problemDetailsPlugin } from '../../../src/platform/http/problem-details.ts';
import { generateAbsentId, startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A WebSocket is opened by GET, and a link preview must not begin or end a sign-in with a provider. */
const WITHOUT_HEAD = [
  '/api/realtime',
  '/api/auth/google/callback',
  '/app/sign-in/provider',
  '/app/sign-in/provider/done',
  '/app/link-identity',
  '/app/:accountId/settings/security/identities/link',
];

const test = await startTestApp(t);
const { app, call, database } = test;
const id = generateAbsentId();
const methods = new Map<string, Set<string>>();
for (const { method, url } of app.declaredRoutes()) {
  if (url === '/app/*') continue;
  const path = url.replace(/:\w+/g, id);
  const ofPath = methods.get(path) ?? new Set(path.startsWith('/brand') ? [] : ['OPTIONS']);
  ofPath.add(method);
  if (method === 'GET' && !WITHOUT_HEAD.includes(url)) ofPath.add('HEAD');
  methods.set(path, ofPath);
}

t.test('every method that a path does not have is 405 with the ones that it has', async (t) => {
  let refused = 0;
  for (const [path, allowed] of methods) {
    const allow = [...allowed].toSorted().join(', ');
    if (allowed.has('OPTIONS')) t.equal((await call('OPTIONS', path)).headers.allow, allow, path);
    for (const method of METHODS.filter((name) => !allowed.has(name))) {
      const answer = await call(method, `${path}?x=1`, { body: {} });
      // The address of a form leads to its page.
      if (method === 'GET' && path.startsWith('/app/')) {
        t.ok([303, 405].includes(answer.status), `${path}: ${answer.status}`);
        continue;
      }
      t.match(answer, { status: 405, headers: { allow } }, `${method} ${path}`);
      if (method !== 'HEAD' && !/^\/(?:s|app)\//.test(path))
        t.equal(answer.body.code, 'METHOD_NOT_ALLOWED', `${method} ${path}`);
      refused += 1;
    }
  }
  t.ok(refused > 500, `${refused} methods`);
});

t.test('a route that has the method and finds nothing is 404', async (t) => {
  const server = Fastify();
  await server.register(problemDetailsPlugin);
  server.get('/file', (_request, reply) => reply.callNotFound());
  t.equal((await server.inject('/file')).statusCode, 404);
  t.equal((await server.inject({ method: 'DELETE', url: '/file' })).statusCode, 405);
});

t.test('an unknown path has no methods', async (t) => {
  for (const url of ['/favicon.ico', '/api', '/api/nowhere', '/api/qrcodes/a/b/c', '/apiary', '/%'])
    for (const method of ['GET', 'DELETE', 'POST'])
      t.match(
        await call(method, url),
        { status: url === '/%' ? 400 : 404, headers: { allow: undefined } },
        url,
      );
  t.equal((await call('OPTIONS', '/api/nowhere')).headers.allow, undefined);
  t.equal((await call('GET', '/api/qrcodes/bulk/')).headers.allow, 'OPTIONS, PATCH, POST', 'fixed path');
});

t.test('a HEAD has the status and headers of its GET, without a body', async (t) => {
  const root = await test.createUser({ role: 'ADMIN' });
  // With the cookie, a page sets no other.
  const options = { token: root.accessToken, headers: { cookie: `__Host-browser=${'b'.repeat(22)}` } };
  /** Different for each request, or known only with the content. */
  const ignored = /^(?:content-length|date|transfer-encoding|x-request-id|(?:x-)?ratelimit.*|retry-after)$/;
  const getHeaders = (headers: Awaited<ReturnType<typeof call>>['headers']) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !ignored.test(name)));
  let compared = 0;
  for (const [path, allowed] of methods) {
    if (!allowed.has('HEAD') || path.startsWith('/s/')) continue;
    const url = path.includes('profile') ? path.replace(id, root.id) : path;
    const head = await call('HEAD', url, options);
    const get = await call('GET', url, options);
    t.equal(head.text, '', path);
    t.equal(head.status, get.status, path);
    t.same({ ...getHeaders(head.headers), etag: null }, { ...getHeaders(get.headers), etag: null }, path);
    compared += 1;
  }
  t.ok(compared > 80, `${compared} paths`);
});

t.test('the HEAD of a download neither sends nor records anything; that of a record is a read', async (t) => {
  const root = await test.createUser({ role: 'ADMIN' });
  const token = root.accessToken;
  const count = async () => [
    await database.client.auditEntry.count(),
    await database.client.outgoingMail.count(),
  ];
  const before = await count();
  for (const url of [
    '/api/auth/export',
    '/api/qrcodes/export',
    '/api/scans/export',
    '/api/admin/audit-logs/export',
    '/api/admin/audit-logs/sealed',
  ])
    for (let time = 0; time < 12; time += 1) t.equal((await call('HEAD', url, { token })).status, 200, url);
  t.same(await count(), before);
  t.equal((await call('GET', '/api/auth/export', { token })).status, 200, 'no export is used up');
  const entries = () => database.client.auditEntry.count({ where: { action: 'AUDIT_LOG_LISTED' } });
  const reads = await entries();
  t.equal((await call('HEAD', '/api/admin/audit-logs', { token })).status, 200);
  t.equal(await entries(), reads + 1);
});
