import { createApiVersionStep } from '../../../src/platform/http/api-version.ts';
import { API_VERSION, type Deprecation } from '../../../src/platform/http/api-versions.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
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
