import Fastify, { type FastifyContextConfig } from 'fastify';
import type { Test } from 'tap';
import { AUDIT_ACTIONS } from '../../src/audit-actions.ts';
import { bearerAuthenticationPlugin } from '../../src/platform/authentication.ts';
import { openDatabase } from '../../src/platform/database.ts';
import {
  accessControlPlugin,
  allowUsers,
  auditAs,
  PUBLIC_ACCESS,
  skipAudit,
} from '../../src/platform/route-access.ts';
import { createHashCipher } from '../hash-cipher.ts';
import { startTestApp, TEST_SECRETS } from '../helper.ts';
import { getOpenApiDocument } from '../openapi-document.ts';
import { t } from '../tap.ts';

async function createBareApp(t: Test) {
  const database = openDatabase({
    url: 'postgres://nobody@127.0.0.1:1/none',
    poolSize: 2,
    onError: () => {},
  });
  const app = Fastify();
  await app.register(bearerAuthenticationPlugin, {
    database,
    fieldCipher: createHashCipher(),
    jwtSecret: TEST_SECRETS.JWT_SECRET,
    secure: true,
    isEnterpriseEnforced: false,
    staffMustEnroll: false,
  });
  await app.register(accessControlPlugin, { database });
  t.teardown(() => Promise.all([app.close(), database.close()]));
  return app;
}

t.test('does not start with a route that declares no access or no audit', async (t) => {
  const configs: FastifyContextConfig[] = [{}, { access: PUBLIC_ACCESS }, { audit: skipAudit('SYSTEM') }];
  for (const config of configs) {
    const app = await createBareApp(t);
    app.get('/declared', { config: { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM') } }, () => 'fine');
    app.post('/silent', { config }, () => 'never');
    await t.rejects(
      () => Promise.resolve(app.ready()),
      /Routes that do not declare access and audit: POST \/silent$/,
      JSON.stringify(config),
    );
  }
  const app = await createBareApp(t);
  await app.register(
    async (inner) => {
      inner.get('/deep', () => 'never');
    },
    { prefix: '/inner' },
  );
  await t.rejects(() => Promise.resolve(app.ready()), /\/inner\/deep/);
});

t.test('serves a declared route, and responds 401 without a credential', async (t) => {
  const app = await createBareApp(t);
  app.get('/open', { config: { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM') } }, () => 'fine');
  app.get('/own', { config: { access: allowUsers('account:use'), audit: skipAudit('USER') } }, () => 'never');
  await app.ready();
  t.equal((await app.inject('/open')).payload, 'fine');
  t.equal((await app.inject('/own')).statusCode, 401);
});

t.test('takes the resource type from the table of actions', async (t) => {
  t.same(auditAs('LOGOUT'), { action: 'LOGOUT', resourceType: AUDIT_ACTIONS.LOGOUT.resourceType });
});

t.test('every route that is not public is 401 without a credential, whatever its body', async (t) => {
  const { app, call } = await startTestApp(t);
  const document = await getOpenApiDocument(call);
  let closed = 0;
  for (const [path, operations] of Object.entries<Record<string, { security?: object[] }>>(document.paths)) {
    for (const [method, { security }] of Object.entries(operations)) {
      if (!security?.length || security.some((way) => Object.keys(way).length === 0)) continue;
      closed += 1;
      const url = path.replace(/\{\w+\}/g, '0'.repeat(24));
      for (const body of [undefined, { junk: [] }]) {
        const answer = await call(method.toUpperCase(), url, method === 'get' ? {} : { body });
        t.equal(answer.status, 401, `${method} ${path}`);
        t.equal(answer.body.code, 'UNAUTHENTICATED', `${method} ${path}`);
        t.equal(answer.headers['www-authenticate'], 'Bearer realm="api"', `${method} ${path}`);
      }
    }
  }
  t.ok(closed >= 10, `${closed} operations need an account`);
  t.ok(app.hasRoute({ method: 'GET', url: '/api/auth/me' }));
});

t.test('a challenge says whether the token was rejected', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken: token, email } = await createUser();
  const getChallenge = async (method: string, url: string, options: object) =>
    (await call(method, url, options)).headers['www-authenticate'];
  const apiKey = await call('POST', '/api/api-keys', { token, body: { name: 'a', scopes: ['scans:read'] } });
  for (const rejected of ['junk', `${apiKey.body.token}x`, `${token}x`])
    t.equal(
      await getChallenge('GET', '/api/qrcodes', { token: rejected }),
      'Bearer realm="api", error="invalid_token"',
    );
  t.equal(
    await getChallenge('GET', '/api/qrcodes', { token: apiKey.body.token }),
    'Bearer realm="api", error="insufficient_scope"',
  );
  const basic = { headers: { authorization: 'Basic YTpi' } };
  t.equal(await getChallenge('GET', '/api/qrcodes', basic), 'Bearer realm="api"');
  const body = { email, password: 'wrong password' };
  t.equal(await getChallenge('POST', '/api/auth/login', { token, body }), 'Bearer realm="api"');
  t.equal(await getChallenge('GET', '/api/qrcodes', { token }), undefined);
});

t.test('a user without a profile can read but not create', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken: token } = await createUser({ profile: false });
  for (const url of ['/api/auth/me', '/api/qrcodes', '/api/auth/sessions']) {
    t.equal((await call('GET', url, { token })).status, 200, url);
  }
  const answer = await call('POST', '/api/qrcodes', {
    token,
    body: { kind: 'TEXT', title: 'a', data: { text: 'b' } },
  });
  t.equal(answer.status, 403);
  t.match(answer.body, { code: 'PROFILE_REQUIRED', detail: /POST \/api\/auth\/create-profile/ });
});
