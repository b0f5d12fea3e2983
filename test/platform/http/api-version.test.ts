import { createApiVersionStep, versionChangesPlugin } from '../../../src/platform/http/api-version.ts';
import {
  API_VERSION,
  type Deprecation,
  EARLIER_API_VERSIONS,
  type VersionChange,
} from '../../../src/platform/http/api-versions.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import { startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createBareApp } from './helper.ts';

async function buildTestServer(
  t: Parameters<typeof createBareApp>[0],
  deprecatedOperations: Record<string, Deprecation> = {},
) {
  const app = await createBareApp(t);
  addRequestSteps(app, createApiVersionStep(app, { deprecatedOperations }));
  const schema = { operationId: 'things.old' };
  app.get('/api/old', { schema }, () => ({ ok: true }));
  app.get('/api/new', () => ({ ok: true }));
  app.get('/s/page', () => 'page');
  return { app, schema };
}

t.test('every answer of the API has the version, and a request for another one is 400', async (t) => {
  const { app } = await buildTestServer(t);
  for (const [url, status] of [
    ['/api/new', 200],
    ['/api/nowhere', 404],
  ] as const) {
    for (const headers of [{}, { 'api-version': API_VERSION }])
      t.match(await app.inject({ url, headers }), {
        statusCode: status,
        headers: { 'api-version': API_VERSION, deprecation: undefined },
      });
    for (const version of ['2020-01-01', 'latest', '']) {
      const refused = await app.inject({ url, headers: { 'api-version': version } });
      t.match(
        refused.json(),
        { status: 400, errors: [{ field: 'api-version', code: 'NOT_ALLOWED' }] },
        version,
      );
      t.equal(refused.headers['api-version'], API_VERSION);
    }
  }
  const page = await app.inject({ url: '/s/page', headers: { 'api-version': 'x' } });
  t.match(page, { statusCode: 200, headers: { 'api-version': undefined } }, 'pages have none');
});

t.test('a deprecated operation announces its end', async (t) => {
  const { app, schema } = await buildTestServer(t, {
    'things.old': { since: '2027-01-01', sunset: '2027-07-01' },
  });
  for (const method of ['GET', 'HEAD'] as const)
    t.match((await app.inject({ method, url: '/api/old' })).headers, {
      deprecation: '@1798761600',
      sunset: 'Thu, 01 Jul 2027 00:00:00 GMT',
    });
  t.match(schema, { deprecated: true }, 'also in the OpenAPI document');
  t.equal((await app.inject('/api/new')).headers.deprecation, undefined);
});

t.test('does not start with a deprecation that is too short, or of no operation', async (t) => {
  await t.rejects(
    buildTestServer(t, { 'things.old': { since: '2027-01-01', sunset: '2027-06-01' } }),
    /things\.old: the sunset must be 180 days/,
  );
  const { app } = await buildTestServer(t, { 'things.none': { since: '2027-01-01', sunset: '2028-01-01' } });
  await t.rejects(() => Promise.resolve(app.ready()), /do not exist: things\.none$/);
});

t.test('answers as the version did that a request asks for', async (t) => {
  const app = await createBareApp(t);
  addRequestSteps(app, createApiVersionStep(app, { deprecatedOperations: {} }));
  await app.register(versionChangesPlugin);
  const toBody = ({ name }: { name: string }) => ({ title: name });
  const config = { versionChanges: [{ before: API_VERSION, toBody }] };
  app.get('/api/named', { config }, () => ({ name: 'Rex' }));
  app.get('/api/text', { config }, (_request, reply) => reply.type('text/plain').send('{"name":"Rex"}'));
  app.get('/api/other', () => ({ name: 'Rex' }));
  for (const [version, { sunset }] of Object.entries(EARLIER_API_VERSIONS)) {
    const headers = { 'api-version': version };
    const answer = await app.inject({ url: '/api/named', headers });
    t.same(answer.json(), { title: 'Rex' });
    t.match(answer.headers, {
      'api-version': version,
      deprecation: /^@\d+$/,
      sunset: new Date(sunset).toUTCString(),
      'content-length': String(answer.body.length),
    });
    t.equal((await app.inject({ url: '/api/text', headers })).body, '{"name":"Rex"}', 'JSON only');
    t.same((await app.inject({ url: '/api/other', headers })).json(), { name: 'Rex' });
  }
  for (const headers of [{}, { 'api-version': API_VERSION }]) {
    const answer = await app.inject({ url: '/api/named', headers });
    t.same(answer.json(), { name: 'Rex' });
    t.match(answer.headers, { 'api-version': API_VERSION, deprecation: undefined, sunset: undefined });
  }
});

t.test('reads a request as the version did that it asks for', async (t) => {
  const app = await createBareApp(t);
  addRequestSteps(app, createApiVersionStep(app, { deprecatedOperations: {} }));
  await app.register(versionChangesPlugin);
  const versionChanges = [
    {
      before: API_VERSION,
      fromBody: ({ label, ...body }: Record<string, unknown>) => ({ ...body, name: label }),
      fromQuery: ({ max }: Record<string, unknown>) => ({ limit: max }),
    },
  ];
  app.post('/api/named', { config: { versionChanges } }, ({ body, query }) => ({ body, query }));
  const send = (payload: object, headers = {}) =>
    app.inject({ method: 'POST', url: '/api/named?max=3', payload, headers });
  const [version = ''] = Object.keys(EARLIER_API_VERSIONS);
  const headers = { 'api-version': version };
  t.same((await send({ label: 'Rex', age: 3 }, headers)).json(), {
    body: { name: 'Rex', age: 3 },
    query: { limit: '3' },
  });
  t.same((await send(['x'], headers)).json().body, ['x'], 'only objects');
  t.same((await send({ label: 'Rex' })).json(), { body: { label: 'Rex' }, query: { max: '3' } });
});

t.test('does not start with a change before which no version is kept', async (t) => {
  const app = await createBareApp(t);
  await app.register(versionChangesPlugin);
  const oldest = Object.keys(EARLIER_API_VERSIONS).at(-1) ?? '';
  const add = (change: VersionChange) =>
    app.get(`/api/${change.before}`, { config: { versionChanges: [change] } }, () => ({}));
  for (const before of [oldest, '2020-01-01'])
    t.throws(() => add({ before }), /no version that can be asked for/);
});

t.test('a client of 2026-11-27 ends a key, and is told of an old login, as before', async (t) => {
  const app = await startTestApp(t);
  const { accessToken: token } = await app.createUser();
  const headers = { 'api-version': '2026-11-27' };
  const key = await app.call('POST', '/api/api-keys', {
    token,
    body: { name: 'ERP', scopes: ['qr-codes:read'] },
  });
  const { id } = key.body;
  const path = `/api/api-keys/${id}`;
  t.same((await app.call('DELETE', path, { token, headers })).body, { id, deleted: true });
  t.match((await app.call('DELETE', path, { token })).body, { id, status: 'REVOKED', deleted: undefined });
  t.match((await app.call('GET', path, { token, headers })).body, { id, status: 'REVOKED' });

  await app.database.pool.query("UPDATE sessions SET created_at = created_at - interval '11 minutes'");
  const erase = (more = {}) =>
    app.call('DELETE', '/api/auth/account', { token, body: { password: TEST_PASSWORD }, ...more });
  const exportNow = (more = {}) => app.call('GET', '/api/auth/export', { token, ...more });
  t.match(await exportNow(), { status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } });
  const refused = await exportNow({ headers });
  t.match(refused, { status: 403, body: { code: 'FRESH_LOGIN_REQUIRED', status: 403 } });
  t.match(await app.call('DELETE', path, { token, headers }), {
    status: 403,
    body: { code: 'REAUTHENTICATION_REQUIRED' },
  });
  t.equal((await erase({ headers })).body.deleted, true);
});
