import { TEXT_FORMATS_BY_PATTERN } from '../../src/shared/common.schemas.ts';
import { createFakeProvider } from '../features/billing/payments/fake-provider.ts';
import { startTestApp } from '../helper.ts';
import { getOpenApiDocument } from '../openapi-document.ts';
import { t } from '../tap.ts';
import { ACCESS_MATRIX } from './access-matrix.ts';
import { createCallerAccounts } from './callers.ts';
import { prepareAllowedRequest, prepareRequestAs } from './prepare-request.ts';
import { createTestResources } from './test-resources.ts';

const TEXT_FORMATS = new Set(TEXT_FORMATS_BY_PATTERN.values());

interface Parameter {
  name: string;
  in: string;
  schema: { type?: unknown; enum?: unknown[]; pattern?: string; format?: string; maximum?: number };
}

interface Operation {
  parameters?: Parameter[];
  responses: Record<string, { headers?: Record<string, { schema: { pattern?: string } }> }>;
}

const test = await startTestApp(t, {}, { payments: createFakeProvider().provider });
const accounts = await createCallerAccounts(test);
await test.database.pool.query(
  `UPDATE subscription_packages SET limits = limits || '{"qrCodes": null, "members": null, "storageBytes": null}'`,
);
const things = createTestResources(test, accounts.owner);
const paths: Record<string, Record<string, Operation>> = (await getOpenApiDocument(test.call)).paths;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

const prepareRequest = (name: string) => prepareAllowedRequest(name, { test, accounts, things });
const prepareAnonymous = (name: string) => prepareRequestAs('anonymous', name, { test, accounts, things });

t.test(
  'a trailing slash never changes the status of a read, nor that of a write without a credential',
  async (t) => {
    const different: string[] = [];
    for (const name of Object.keys(ACCESS_MATRIX)) {
      if (name.includes(' /uploads/') || name.endsWith('/*') || name.endsWith(' /')) continue;
      const request = name.startsWith('GET ') ? await prepareRequest(name) : await prepareAnonymous(name);
      if (!request) continue;
      const { method, url, query = '', body, headers = {}, token } = request;
      const send = async (end: string) =>
        (await test.call(method, `${url}${end}?${query}`, { token, body, headers })).status;
      const [plain, slash] = [await send(''), await send('/')];
      if (plain !== slash) different.push(`${name}: ${plain}, ${slash}`);
    }
    t.same(different, []);
  },
);

t.test('the Location of every 201 can be read', async (t) => {
  // The first test created as many as an account may have.
  await test.database.client.webhookEndpoint.deleteMany();
  const wrong: string[] = [];
  let created = 0;
  for (const { path, method, operation } of operations) {
    if (!operation.responses['201']) continue;
    const name = `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
    // A page and an identity of a provider, and what the users of the matrix have already.
    if (/portal-session|identities|create-profile/.test(path)) continue;
    const request = await prepareRequest(name);
    if (!request) continue;
    // Other rows have made more of them than a user can own.
    if (path === '/api/organizations')
      await test.database.client.membership.deleteMany({ where: { account: { type: 'ORGANIZATION' } } });
    const { url, query, body, headers = {}, token } = request;
    const answer = await test.call(method, query ? `${url}?${query}` : url, { token, body, headers });
    if (answer.status !== 201) {
      wrong.push(`${name}: ${answer.status} ${answer.text.slice(0, 120)}`);
      continue;
    }
    created += 1;
    const location = String(answer.headers.location);
    if (operation.responses['201'].headers?.ETag && !answer.headers.etag) wrong.push(`${name}: no ETag`);
    const found = await test.call('GET', location.replace('https://qr.example.org', ''), { token });
    // A test link leads on to the page of the code.
    if (found.status !== 200 && found.status !== 303) wrong.push(`${name}: ${location} ${found.status}`);
  }
  t.same(wrong, []);
  t.ok(created >= 15, `${created} operations`);
});

t.test('every write of a record with a version accepts If-Match', async (t) => {
  const declaresEtag = ({ responses }: Operation) =>
    [responses['200'], responses['201']].some((one) => one?.headers?.ETag?.schema.pattern !== undefined);
  const versioned = new Set(
    operations.filter(({ operation }) => declaresEtag(operation)).map(({ path }) => path),
  );
  t.ok(versioned.size >= 6);
  for (const { path, method, operation } of operations) {
    const isCreation = operation.responses['201'] !== undefined;
    if (!versioned.has(path) || method === 'GET' || isCreation) continue;
    const names = (operation.parameters ?? []).map(({ name }) => name);
    t.ok(names.includes('If-Match'), `${method} ${path}`);
  }
});

t.test('every list and read refuses invalid ids, values, pages and times in its query', async (t) => {
  const accepted: string[] = [];
  let sent = 0;
  for (const { path, method, operation } of operations) {
    const parameters = (operation.parameters ?? []).filter((one) => one.in === 'query');
    if (method !== 'GET' || parameters.length === 0) continue;
    const name = `GET ${path.replace(/\{(\w+)\}/g, ':$1')}`;
    const request = await prepareRequest(name);
    if (!request) continue;
    for (const parameter of parameters) {
      for (const value of getInvalidValues(parameter)) {
        const query = new URLSearchParams(request.query);
        query.set(parameter.name, value);
        const { token, headers = {} } = request;
        const answer = await test.call('GET', `${request.url}?${query}`, { token, headers });
        sent += 1;
        if (answer.status !== 400) accepted.push(`${name}?${parameter.name}=${value}: ${answer.status}`);
      }
    }
  }
  t.same(accepted, []);
  t.ok(sent > 200, `${sent} requests`);
});

function getInvalidValues({ name, schema }: Parameter): string[] {
  if (name === 'page') return ['0', '-1', '1.5', 'x', '100001', '1e3', '99999999999999999999'];
  if (schema.type === 'integer' || schema.type === 'number') return ['-1', 'x', '99999999999999999999'];
  if (schema.enum || schema.pattern?.includes('{24}')) return ['zzz', 'constructor'];
  if (schema.format && !TEXT_FORMATS.has(schema.format)) return ['zzz', '2026-13-45'];
  return [];
}
