import { startTestApp, TEST_PASSWORD } from '../helper.ts';
import { getOpenApiDocument } from '../openapi-document.ts';
import { t } from '../tap.ts';

interface Operation {
  parameters?: { name: string; in: string }[];
  responses: Record<string, { headers?: Record<string, unknown> }>;
}

t.test('one answer names the fields of the wrong form and those that break a rule', async (t) => {
  const { call } = await startTestApp(t);
  const getFields = async (body: object): Promise<string[]> => {
    const answer = await call('POST', '/api/auth/register', { body });
    t.equal(answer.status, 400, answer.text);
    return answer.body.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`);
  };
  t.same(await getFields({ email: 'not-an-address', password: 'x' }), [
    'email BAD_FORMAT',
    'password TOO_SHORT',
  ]);
  t.same(await getFields({ email: 7, password: 'x', timeZone: 'Mars/Base', firstName: '' }), [
    'email WRONG_TYPE',
    'firstName TOO_SHORT',
    'timeZone UNKNOWN',
    'password TOO_SHORT',
  ]);
  t.same(await getFields({}), ['email REQUIRED', 'password REQUIRED']);
});

t.test('a registration with all fields creates the profile', async (t) => {
  const { call, getOtp } = await startTestApp(t);
  const register = async (email: string, fields: object) => {
    await call('POST', '/api/auth/register', { body: { email, password: TEST_PASSWORD, ...fields } });
    const otp = await getOtp(email);
    return (await call('POST', '/api/auth/verify-otp', { body: { email, otp } })).body;
  };
  const names = { firstName: 'Ada', lastName: 'Lovelace' };
  const complete = await register('ada@example.org', names);
  t.match(complete.user, { status: 'ACTIVE', accountType: 'INDIVIDUAL', ...names });
  const code = { kind: 'TEXT', title: 'a', data: { text: 'b' } };
  const { accessToken: token } = complete;
  t.equal((await call('POST', '/api/qrcodes', { token, body: code })).status, 201);

  const create = (body: object) => call('POST', '/api/auth/create-profile', { token, body });
  t.equal((await create({})).status, 201, 'clients that still send it');
  t.equal((await create({})).status, 409);

  t.equal((await register('eve@example.org', { firstName: 'Eve' })).user.status, 'VERIFIED');
  const company = { ...names, accountType: 'ORGANIZATION' };
  t.equal((await register('org@example.org', company)).user.status, 'VERIFIED');
});

t.test('a path is the same with and without a slash at its end', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken: token } = await createUser();
  for (const path of [
    '/api/qrcodes',
    '/api/scans',
    '/api/notifications',
    '/api/memory-tags',
    '/api/auth/me',
  ]) {
    t.equal((await call('GET', `${path}/`)).status, 401, path);
    const [plain, slash] = [await call('GET', path, { token }), await call('GET', `${path}/`, { token })];
    t.same([slash.status, slash.text], [plain.status, plain.text], path);
  }
  t.equal((await call('GET', '/api/health/live/')).status, 200);
  t.equal((await call('GET', '/api/nowhere/')).status, 404);
});

t.test('a malformed id in a query is 400, also in another spelling of its name', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken: token } = await createUser();
  for (const path of ['/api/scans', '/api/conversations', '/api/scans/export'])
    for (const name of ['qrCodeId', 'qrcodeId', 'QRCODEID']) {
      const answer = await call('GET', `${path}?${name}=zzz`, { token });
      t.equal(answer.status, 400, `${path} ${name}`);
      t.match(answer.body.errors, [{ field: 'qrCodeId' }]);
    }
});

t.test('Location, ETag and If-Match are declared and sent', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken: token } = await createUser();
  const paths: Record<string, Record<string, Operation>> = (await getOpenApiDocument(call)).paths;
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { parameters = [], responses }] of Object.entries(operations)) {
      if (responses['201']) t.ok(responses['201'].headers?.Location, `${method} ${path}`);
      const takesIfMatch = parameters.some(({ name }) => name === 'If-Match');
      t.equal(takesIfMatch, responses['412'] !== undefined, `${method} ${path}`);
    }
  t.ok(paths['/api/qrcodes']?.post?.responses['201']?.headers?.ETag);
  const body = { kind: 'TEXT', title: 'a', data: { text: 'b' } };
  const created = await call('POST', '/api/qrcodes', { token, body });
  t.match(created.headers, { etag: '"1"', location: `/api/qrcodes/${created.body.id}` });
  const headers = { 'if-match': String(created.headers.etag) };
  const url = `/api/qrcodes/${created.body.id}`;
  t.equal((await call('PATCH', url, { token, headers, body: { title: 'b' } })).headers.etag, '"2"');
  t.equal((await call('PATCH', url, { token, headers, body: { title: 'c' } })).status, 412);
});
