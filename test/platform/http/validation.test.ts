import { Type } from 'typebox';
import { jsonBodyPlugin } from '../../../src/platform/http/json-body.ts';
import { parseRequestTarget } from '../../../src/platform/http/query-string.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import { schemaValidationPlugin } from '../../../src/platform/http/validation.ts';
import { t } from '../../tap.ts';
import { createBareApp } from './helper.ts';

const Id = Type.String({ pattern: '^[0-9a-f]{24}$' });
const List = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 100_000, default: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
  any: Type.Optional(Type.Integer()),
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  is_read: Type.Optional(Type.Boolean()),
  search: Type.Optional(Type.String()),
});
const Body = Type.Object({
  email: Type.String({ format: 'email', maxLength: 254 }),
  pin: Type.Optional(Type.String({ pattern: '^\\d{4,12}$' })),
  phone: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
  count: Type.Optional(Type.Integer()),
  data: Type.Optional(
    Type.Object(
      { allergies: Type.Array(Type.Object({ name: Type.String({ minLength: 2 }) })) },
      { additionalProperties: false },
    ),
  ),
});

async function buildTestServer(t: Parameters<typeof createBareApp>[0]) {
  const app = await createBareApp(t);
  addRequestSteps(app, parseRequestTarget);
  await app.register(jsonBodyPlugin);
  await app.register(schemaValidationPlugin);
  app.get('/list', { schema: { querystring: List } }, (request) => request.query);
  app.get('/one/:id', { schema: { params: Type.Object({ id: Id }) } }, (request) => request.params);
  app.post('/', { schema: { body: Body } }, (request) => request.body);
  app.post(
    '/optional',
    { schema: { body: Type.Object({ note: Type.Optional(Type.String()) }) } },
    (request) => request.body,
  );
  const post = (payload: object, url = '/') => app.inject({ method: 'POST', url, payload });
  return { app, post };
}

t.test('rejects page and limit outside of their range with 400 naming the parameter', async (t) => {
  const { app } = await buildTestServer(t);
  for (const value of [
    '1e999',
    '0',
    '-1',
    '9007199254740993',
    'NaN',
    'Infinity',
    '1.5',
    '0x10',
    '1e3',
    'abc',
    '100001',
    '%201',
  ]) {
    const answer = await app.inject(`/list?page=${value}`);
    t.match(answer.json(), { status: 400, errors: [{ field: 'page' }] }, value);
    t.equal(answer.json().errors.length, 1);
  }
  for (const value of ['1000000000', '101', '0']) {
    t.match(
      (await app.inject(`/list?limit=${value}`)).json(),
      { status: 400, errors: [{ field: 'limit' }] },
      value,
    );
  }
  for (const value of ['9007199254740993', '1e999']) {
    t.equal((await app.inject(`/list?any=${value}`)).statusCode, 400, `${value} without bounds of its own`);
  }
  t.equal((await app.inject('/list?latitude=1e999')).statusCode, 400);
  t.same((await app.inject('/list?latitude=-12.5&page=3')).json(), { page: 3, limit: 10, latitude: -12.5 });
});

t.test('ignores is_read=undefined and an empty search', async (t) => {
  const { app } = await buildTestServer(t);
  t.same((await app.inject('/list?is_read=undefined&search=&page=1&limit=5')).json(), { page: 1, limit: 5 });
  t.same((await app.inject('/list?is_read=false')).json(), { page: 1, limit: 10, is_read: false });
  t.equal((await app.inject('/list?is_read=maybe')).statusCode, 400);
});

t.test('names every invalid parameter', async (t) => {
  const { app } = await buildTestServer(t);
  const answer = (await app.inject('/list?page=x&limit=1000&is_read=2')).json();
  t.same(answer.errors.map((error: { field: string }) => error.field).sort(), ['is_read', 'limit', 'page']);
});

t.test('does not coerce bodies', async (t) => {
  const { post } = await buildTestServer(t);
  const email = 'a@example.org';
  for (const body of [
    { email: { not: '' } },
    { email: ['a@example.org'] },
    { email: 12 },
    { email, pin: 12 },
    { email, count: '12' },
    { email, count: true },
  ]) {
    t.match((await post(body)).json(), { status: 400, code: 'VALIDATION_FAILED' }, JSON.stringify(body));
  }
  t.same((await post({ email, pin: '0012', phone: null })).json(), { email, pin: '0012', phone: null });
});

t.test('drops unknown fields at the top of a form of a page and rejects them deeper', async (t) => {
  const { post } = await buildTestServer(t);
  const email = 'a@example.org';
  t.same((await post({ email, role: 'ADMIN', _id: 1 })).json(), { email });
  const nested = await post({ email, data: { allergies: [], alergies: [] } });
  t.match(nested.json(), { status: 400, errors: [{ field: 'data.alergies', code: 'UNKNOWN_FIELD' }] });
});

t.test('names every invalid field of a body by its path', async (t) => {
  const { post } = await buildTestServer(t);
  const answer = await post({ email: 'nobody', pin: 'x', data: { allergies: [{ name: 'a' }, {}] } });
  t.same(
    answer.json().errors.map(({ field, code }: { field: string; code: string }) => [field, code]),
    [
      ['email', 'BAD_FORMAT'],
      ['pin', 'BAD_FORMAT'],
      ['data.allergies[0].name', 'TOO_SHORT'],
      ['data.allergies[1].name', 'REQUIRED'],
    ],
  );
  t.notMatch(answer.body, 'nobody');
});

t.test('reports a field with several errors once, by its most important error', async (t) => {
  const app = await createBareApp(t);
  await app.register(jsonBodyPlugin);
  await app.register(schemaValidationPlugin);
  const Title = Type.String({ minLength: 1, maxLength: 5, pattern: '\\S', format: 'email' });
  const body = Type.Object({ title: Title, size: Type.Integer({ minimum: 4, multipleOf: 4 }) });
  app.post('/', { schema: { body } }, () => ({}));
  for (const [payload, expected] of [
    [{ title: '', size: 1 }, ['title TOO_SHORT', 'size TOO_SMALL']],
    [{ title: '      ', size: 5 }, ['title TOO_LONG', 'size WRONG_STEP']],
    [{ title: ' ', size: 1.5 }, ['title BAD_FORMAT', 'size WRONG_TYPE']],
    [{}, ['title REQUIRED', 'size REQUIRED']],
  ] as const) {
    const { errors } = (await app.inject({ method: 'POST', url: '/', payload })).json();
    const found = errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);
    t.same(found.sort(), [...expected].sort(), JSON.stringify(payload));
  }
});

t.test('treats a missing body as empty and names required fields', async (t) => {
  const { app, post } = await buildTestServer(t);
  const missing = await app.inject({ method: 'POST', url: '/' });
  t.match(missing.json(), { status: 400, errors: [{ field: 'email', code: 'REQUIRED' }] });
  t.same((await app.inject({ method: 'POST', url: '/optional' })).json(), {});
  t.match((await post([])).json(), { status: 400, errors: [{ field: 'body', code: 'WRONG_TYPE' }] });
});

t.test('responds 404 to a malformed id of any length', async (t) => {
  const { app } = await buildTestServer(t);
  for (const id of ['1', 'z'.repeat(24), 'A'.repeat(24), 'a'.repeat(25), 'a'.repeat(9_000)]) {
    const answer = await app.inject(`/one/${id}`);
    t.match(answer.json(), { status: 404, code: 'NOT_FOUND' }, `${id.length}`);
  }
  t.equal((await app.inject(`/one/${'a'.repeat(24)}`)).statusCode, 200);
});
