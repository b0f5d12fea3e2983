import { removeUnknownFields } from '../../src/platform/http/unknown-fields.ts';
import { findNearestName } from '../../src/shared/nearest-name.ts';
import { startTestApp, TEST_PASSWORD } from '../helper.ts';
import { getOpenApiDocument, resolveSchema } from '../openapi-document.ts';
import { t } from '../tap.ts';

const NAME = 'zzUnknownField';
const ID = '0'.repeat(24);

/** Another party defines what they are sent. */
const FOREIGN = /^(?:POST \/api\/webhooks\/|GET \/api\/auth\/google\/callback|GET \/api\/health\/)/;

/** Clients were written against an interface without fields: they are warned. */
const LENIENT = new Set([
  'POST /api/auth/register',
  'POST /api/auth/verify-otp',
  'POST /api/auth/create-profile',
  'POST /api/auth/login',
  'POST /api/auth/forgot-password',
  'POST /api/auth/reset-password',
  'POST /api/qrcodes',
  'PUT /api/qrcodes/{id}',
  'POST /api/scans',
  'POST /api/scans/public',
  'POST /api/scans/geocoded',
  'POST /api/subscription/checkout-session',
]);

/** Those of them that have no parameters. */
const LENIENT_QUERIES = new Set([
  'GET /api/auth/profile/{id}',
  'GET /api/qrcodes/{id}',
  'DELETE /api/qrcodes/{id}',
  'GET /api/scans/{id}',
  'GET /api/scans/public/{id}',
  'GET /api/subscription/status',
  'GET /api/dashboard/cards',
  'GET /api/admin/analytics',
]);

t.test('no operation accepts a field or a parameter that it does not know', async (t) => {
  const app = await startTestApp(t);
  const admin = await app.createUser({ role: 'ADMIN' });
  const { paths } = await getOpenApiDocument(app.call);
  let [bodies, queries] = [0, 0];
  for (const [path, operations] of Object.entries<Record<string, { requestBody?: { content: object } }>>(
    paths,
  ))
    for (const [method, { requestBody }] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path}`;
      if (!path.startsWith('/api/') || FOREIGN.test(name) || path === '/api/realtime') continue;
      // It would end the session.
      if (path === '/api/auth/logout') continue;
      const url = path.replace(/\{[^}]*\}/g, ID);
      const isUnknown = async (query: string, body?: object) => {
        const options = { token: admin.accessToken, ...(body && { body }) };
        const answer = await app.call(method.toUpperCase(), `${url}${query}`, options);
        // What is somebody else's is not found, and what support may do is forbidden, whatever was sent.
        if (answer.status === 404 || answer.status === 403) return null;
        const errors: { field: string; code: string }[] = answer.body?.errors ?? [];
        return errors.some(({ field, code }) => field === NAME && code === 'UNKNOWN_FIELD');
      };
      if (requestBody && 'application/json' in requestBody.content) {
        const found = await isUnknown('', { [NAME]: 1 });
        if (found !== null) {
          t.equal(found, !LENIENT.has(name), name);
          bodies += 1;
        }
      }
      const found = await isUnknown(`?${NAME}=1`);
      const isWarned = LENIENT_QUERIES.has(name) || (LENIENT.has(name) && !name.endsWith('/geocoded'));
      if (found !== null) {
        t.equal(found, !isWarned, `${name}?`);
        queries += 1;
      }
    }
  t.ok(bodies > 60 && queries > 200, `${bodies} bodies, ${queries} queries`);
});

t.test('an operation that can ignore a name declares warnings', async (t) => {
  const { call } = await startTestApp(t);
  const document = await getOpenApiDocument(call);
  const undeclared: string[] = [];
  const withoutWarnings: string[] = [];
  for (const [path, item] of Object.entries<Record<string, DocumentedOperation>>(document.paths))
    for (const [method, { requestBody, responses }] of Object.entries(item)) {
      const name = `${method.toUpperCase()} ${path}`;
      const isUpdate = requestBody && /^(?:PUT|PATCH) \/api\/(?!admin)/.test(name);
      const warns = LENIENT.has(name) || LENIENT_QUERIES.has(name) || isUpdate;
      for (const [status, { content }] of Object.entries(responses)) {
        const schema = content?.['application/json']?.schema;
        if (!schema || !status.startsWith('2')) continue;
        const declares = declaresWarnings(document, schema);
        if (warns && !declares) undeclared.push(`${name} ${status}`);
        if (!declares) withoutWarnings.push(name);
      }
    }
  t.same(undeclared, []);
  t.ok(withoutWarnings.includes('POST /api/documents/{id}/shares'));
});

interface DocumentedOperation {
  requestBody?: object;
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

function declaresWarnings(document: object, schema: object): boolean {
  const { properties, anyOf = [], oneOf = [] } = resolveSchema(document, schema);
  const parts: object[] = [...anyOf, ...oneOf];
  if (parts.length > 0) return parts.every((part) => declaresWarnings(document, part));
  return properties?.warnings !== undefined;
}

t.test('warns of what a client of the interface sends besides', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { email, accessToken: token } = await createUser();
  const body = { email, password: TEST_PASSWORD, rememberMe: true, deviceId: 'x' };
  t.match(await call('POST', '/api/auth/login', { body }), {
    status: 200,
    body: { warnings: ['UNKNOWN_FIELD: rememberMe', 'UNKNOWN_FIELD: deviceId'] },
  });
  const code = { kind: 'TEXT', title: 'Note', data: { text: 'Hello' } };
  const created = await call('POST', '/api/qrcodes', { token, body: { ...code, shelf: 'Keys' } });
  t.match(created, { status: 201, body: { title: 'Note' } });
  t.ok(created.body.warnings.includes('UNKNOWN_FIELD: shelf'));
  for (const misspelt of [{ pni: '1234' }, { Title: 'x' }, { 'expires-at': null }])
    t.match(await call('POST', '/api/qrcodes', { token, body: { ...code, ...misspelt } }), {
      status: 400,
      body: { errors: [{ code: 'UNKNOWN_FIELD', message: /Did you mean/ }] },
    });
  const path = `/api/qrcodes/${created.body.id}`;
  t.match(await call('PUT', path, { token, body: { staus: 'PAUSED' } }), { status: 400 });
  t.match(await call('PUT', path, { token, body: { slug: 'x', title: 'Other' } }), {
    status: 200,
    body: { title: 'Other', warnings: ['UNKNOWN_FIELD: slug'] },
  });
  t.equal((await call('HEAD', '/api/dashboard/cards?_=1', { token })).status, 200);
  t.match(await call('GET', '/api/dashboard/cards?_=1', { token }), {
    status: 200,
    body: { warnings: ['UNKNOWN_FIELD: _'] },
  });
});

t.test('what was read can be put back', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken: token, id } = await createUser();
  const create = async (path: string, body: object): Promise<string> =>
    (await call('POST', path, { token, body })).body.id;
  const codeId = await create('/api/qrcodes', { kind: 'TEXT', title: 'Note', data: { text: 'Hi' } });
  const tagId = await create('/api/memory-tags', { name: 'Ada' });
  const hookId = await create('/api/webhook-endpoints', {
    url: 'https://example.org/hook',
    eventTypes: ['*'],
  });
  await call('PUT', '/api/scans/report-schedule', { token, body: { frequency: 'WEEKLY' } });
  for (const [path, method] of [
    [`/api/qrcodes/${codeId}`, 'PUT'],
    [`/api/memory-tags/${tagId}`, 'PUT'],
    [`/api/webhook-endpoints/${hookId}`, 'PATCH'],
    [`/api/auth/profile/${id}`, 'PUT'],
    ['/api/notifications/preferences', 'PUT'],
    ['/api/scans/report-schedule', 'PUT'],
  ] as const) {
    const read = await call('GET', path, { token });
    t.equal(read.status, 200, path);
    const put = await call(method, path, { token, body: read.body });
    t.equal(put.status, 200, `${path}: ${JSON.stringify(put.body.errors)}`);
    const later = await call(method, path, { token, body: { ...read.body, addedByLaterVersion: true } });
    t.equal(later.status, 200, `${path}: ${JSON.stringify(later.body.errors)}`);
    t.ok(later.body.warnings?.includes('UNKNOWN_FIELD: addedByLaterVersion'), path);
  }
});

t.test('a misspelt protection is no open door', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken: token } = await createUser();
  const shares = `/api/documents/${ID}/shares`;
  for (const [path, body, name] of [
    [shares, { maxVeiws: 1 }, 'maxVeiws'],
    [shares, { passcod: '1234' }, 'passcod'],
    [shares, { expiresInSecond: 60 }, 'expiresInSecond'],
    [shares, { passcodeRequired: true }, 'passcodeRequired'],
    ['/api/qrcodes/bulk', { items: [], dryRun: true }, 'dryRun'],
    ['/api/qrcodes/bulk/delete', { items: [{ id: ID, extrenalId: 'x' }] }, 'items[0].extrenalId'],
    [
      '/api/api-keys',
      { name: 'x', scopes: ['scans:read'], allowedNetwork: ['10.0.0.0/8'] },
      'allowedNetwork',
    ],
  ] as const) {
    const answer = await call('POST', path, { token, body });
    t.equal(answer.status, 400, name);
    const errors: { field: string; code: string }[] = answer.body.errors ?? [];
    t.ok(
      errors.some(({ field, code }) => field === name && code === 'UNKNOWN_FIELD'),
      `${name}: ${JSON.stringify(errors)}`,
    );
  }
});

t.test('names the field that was probably meant', (t) => {
  const names = ['maxViews', 'passcode', 'expiresInSeconds', 'pin', 'status', 'deviceToken', 'password'];
  for (const [name, nearest] of [
    ['maxVeiws', 'maxViews'],
    ['passcod', 'passcode'],
    ['expiresInSecond', 'expiresInSeconds'],
    ['expires_in_seconds', 'expiresInSeconds'],
    ['EXPIRES-IN-SECONDS', 'expiresInSeconds'],
    ['pni', 'pin'],
    ['staus', 'status'],
    ['mode', null],
    ['id', null],
    ['pins', 'pin'],
    ['pan', null],
    ['sta', null],
    ['deviceId', null],
    ['confirmPassword', null],
    ['rememberMe', null],
    ['x'.repeat(100_000), null],
  ] as const)
    t.equal(findNearestName(name, names), nearest, name.slice(0, 30));
  t.end();
});

t.test('takes what a body may not have', (t) => {
  const fields = {
    noun: 'field' as const,
    known: new Set(['title', 'expiresAt']),
    readOnly: new Set(['id', 'version']),
    requiredReadOnly: ['id', 'version'],
    files: ['picture'],
    isLenient: false,
  };
  const take = (body: object, more = {}) => ({
    errors: removeUnknownFields(body, { ...fields, ...more }).map(
      ({ field, message }) => `${field}: ${message}`,
    ),
    body,
  });
  t.same(take({ title: 'a', id: 'x' }), { errors: [], body: { title: 'a' } }, 'a read-only field');
  t.same(take({ title: 'a', tilte: 'b' }), {
    errors: ['tilte: Is not a field of this operation. Did you mean title?'],
    body: { title: 'a' },
  });
  t.same(take({ pictures: null }).errors, [
    'pictures: Is not a field of this operation. Did you mean picture?',
  ]);
  t.same(take({ other: 1 }).errors, ['other: Is not a field of this operation.']);
  t.same(take({ other: 1 }, { isLenient: true }).errors, []);
  t.same(take({ titel: 1 }, { isLenient: true }).errors.length, 1, 'a misspelt field is never ignored');
  const record = { id: 'x', version: 1, title: 'a', expiresAt: null };
  t.same(take({ ...record, expiresOn: null, added: 1 }).errors, [], 'a record of the next version');
  t.same(take({ id: 'x', version: 1, titel: 'a' }).errors.length, 1, 'a record with a misspelt field');
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, 1]));
  t.ok(take(many, { isLenient: true }).errors.some((text) => /more than 50/.test(text)));
  t.end();
});
