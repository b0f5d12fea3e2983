// Own process: it compiles the schemas of all applications of its process.
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { ERRORS } from '../src/catalogue.ts';
import { OPENAPI_REQUEST_EXAMPLES } from '../src/platform/openapi-request-examples.ts';
import { EVENT_TYPE_NAMES } from '../src/shared/event-types.ts';
import { initializeMemoizedFactories } from '../src/shared/memoize.ts';
import { startTestApp } from './helper.ts';
import { composeExample, getOpenApiDocument, resolveSchema } from './openapi-document.ts';
import { t } from './tap.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

interface Operation {
  name: string;
  path: string;
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: { in: string; name: string; description?: string; schema?: object }[];
  requestBody?: {
    content: Record<
      string,
      { schema: object; example?: object; examples?: Record<string, { value: object }> }
    >;
  };
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: object }> }>;
}

const GET_SUMMARY = /^(?:Get|Download|Preview|Check) /;

/** What is not JSON has no example. */
const WITHOUT_EXAMPLE: Record<string, string> = {
  'uploads.getProfilePicture': 'picture',
  'uploads.getQrcodeImage': 'picture',
  'accounts.beginSignIn': 'page for browsers, beside the JSON',
  'imports.getErrors': 'stream of lines',
  'batches.export': 'stream of lines',
  'batches.getImages': 'ZIP',
  'printSheets.getContent': 'PDF',
  'imports.getRejectedRows': 'stream of lines',
  'qrcodes.export': 'stream of lines',
  'qrcodes.getImage': 'picture or PDF',
  'qrcodes.getPoster': 'PDF',
  'qrcodes.previewDraft': 'page for browsers',
  'qrcodes.render': 'picture or PDF',
  'qrcodes.getPicture': 'picture',
  'scans.export': 'stream of lines',
  'scans.getReport': 'page or PDF',
  'documents.getTicketContent': 'file of the user',
  'documents.getReceivedContent': 'file of the user',
  'documents.getContent': 'file of the user',
  'memoryTags.getPicture': 'picture',
  'memoryTags.export': 'zip',
  'personalData.getExportArchive': 'zip or age file',
  'personalData.getExportContent': 'zip or age file',
  'audit.export': 'stream of lines',
  'audit.exportSealed': 'stream of lines',
  'organizations.exportAuditLogs': 'stream of lines',
  'service.get': 'page for browsers, beside the JSON',
};
const { call, app } = await startTestApp(t);
const document = await getOpenApiDocument(call);
const operations: Operation[] = Object.entries<Record<string, object>>(document.paths).flatMap(
  ([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ name: `${method} ${path}`, path, ...item[method] }] : [])),
);

t.test('the document is OpenAPI 3.1 and names the address of the service', async (t) => {
  t.match(document.openapi, /^3\.1\.\d$/);
  t.same(document.servers, [{ url: 'https://qr.example.org' }]);
  t.ok(operations.length > 40, `${operations.length} operations`);
});

t.test('the document is small, and its patterns work in RE2', async (t) => {
  const { text } = await call('GET', '/api/docs/json');
  const withoutSamples = JSON.stringify(app.swagger());
  t.ok(Buffer.byteLength(withoutSamples) <= 660_000, `${Buffer.byteLength(withoutSamples)} bytes`);
  for (const [, pattern] of text.matchAll(/"pattern":"((?:[^"\\\\]|\\\\.)*)"/g))
    t.notMatch(pattern, /\(\?[=!<]/, 'no lookahead');
});

/** With the document as a schema of its own: its components are read once. */
function createSchemaCompiler() {
  const ajv = new Ajv2020({ strict: false, logger: false }).addSchema(document, 'document');
  formats.default(ajv);
  return (schema: object) =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')));
}

t.test(
  'every success response has a real example that its schema allows, unless it is not JSON',
  async (t) => {
    const compile = createSchemaCompiler();
    const other = new Set<string>();
    for (const { operationId, responses = {} } of operations) {
      for (const [status, { content = {} }] of Object.entries(responses)) {
        if (!status.startsWith('2')) continue;
        const { 'application/json': json, ...others } = content;
        if (Object.keys(others).length > 0) other.add(String(operationId));
        if (!json?.schema) continue;
        const example = composeExample(document, json.schema);
        t.not(example, undefined, `${operationId} ${status}: an example`);
        const isValid = compile(json.schema);
        t.ok(isValid(example), `${operationId} ${status}: ${JSON.stringify(isValid.errors)}`);
      }
    }
    t.same([...other].toSorted(), Object.keys(WITHOUT_EXAMPLE).toSorted());
  },
);

t.test('every JSON body has an example that its schema allows', async (t) => {
  const compile = createSchemaCompiler();
  const unused = new Set(Object.keys(OPENAPI_REQUEST_EXAMPLES));
  for (const { operationId, requestBody } of operations) {
    const body = requestBody?.content['application/json'];
    if (!body) continue;
    const values = body.example
      ? [body.example]
      : Object.values(body.examples ?? {}).map(({ value }) => value);
    t.ok(values.length > 0, `${operationId}: an example`);
    const isValid = compile(body.schema);
    for (const value of values) t.ok(isValid(value), `${operationId}: ${JSON.stringify(isValid.errors)}`);
    unused.delete(String(operationId));
  }
  t.same([...unused], [], 'of operations that exist');
  const { example } = document.paths['/api/auth/register'].post.requestBody.content['application/json'];
  t.equal((await call('POST', '/api/auth/register', { body: example })).status, 201);
});

t.test('every schema that is compiled on first use can be compiled', async (t) => {
  t.ok(initializeMemoizedFactories() > 100);
  t.equal(initializeMemoizedFactories(), 0);
});

const VERBS: Readonly<Record<string, RegExp>> = {
  get: /\.(?:get|list|export|verify|beginSignIn|finishSignIn|connect)/,
  put: /\.(?:update|upsert)/,
  patch: /\.(?:patch|mark)/,
};

t.test(
  'every operation has a unique id, a summary, a description, a declared tag and security',
  async (t) => {
    const declared = document.tags.map(({ name }: { name: string }) => name);
    const problems = operations.flatMap(
      ({ name, operationId = '', summary = '', description, tags = [], security }) =>
        Object.entries({
          'operationId like feature.verb': /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(operationId),
          'verb of its operationId': (VERBS[name.split(' ')[0] ?? ''] ?? /./).test(operationId),
          'summary without a full stop': /[^.]$/.test(summary),
          'verb of its summary': !operationId.includes('.get') || GET_SUMMARY.test(summary),
          description: Boolean(description),
          'one declared tag': tags.length === 1 && declared.includes(tags[0]),
          security: Array.isArray(security),
        }).flatMap(([rule, isKept]) => (isKept ? [] : [`${name}: ${rule}`])),
    );
    t.same(problems, []);
    // Generated clients have files of these names, on file systems that ignore case.
    const ids = operations.map(({ operationId }) => operationId?.toLowerCase());
    t.same(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
      'no id twice',
    );
    t.same(
      declared.filter((tag: string) => !operations.some(({ tags }) => tags?.includes(tag))),
      [],
      'no tag unused',
    );
  },
);

t.test('no component has a name that generators make of an operation', async (t) => {
  const { components } = (await call('GET', '/api/docs/json')).body;
  const names = new Set(operations.map(({ operationId }) => toLetters(String(operationId))));
  const taken = Object.entries<object>(components).flatMap(([section, parts]) =>
    Object.keys(parts).filter(
      (name) =>
        section !== 'parameters' && names.has(toLetters(name).replace(/(?:\d{3}|default|error)$/, '')),
    ),
  );
  t.same(taken, []);
});

const toLetters = (name: string) => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

t.test('every response status of an operation has a schema', async (t) => {
  const problems: string[] = [];
  for (const { name, responses = {} } of operations) {
    if (!Object.keys(responses).some((status) => /^(?:101|[23])/.test(status)))
      problems.push(`${name}: does not succeed`);
    for (const [status, { description, content = {} }] of Object.entries(responses)) {
      if (!description || description === 'Default Response') problems.push(`${name} ${status}: description`);
      if (status === '204' || status.startsWith('3')) continue;
      const schemas = Object.values(content).map(({ schema }) => schema);
      if (schemas.length === 0 || !schemas.every((schema) => schema && Object.keys(schema).length > 0))
        problems.push(`${name} ${status}: schema`);
      const isProblem = Object.keys(content).every((type) => type === 'application/problem+json');
      if (isProblem !== /^(?:[45]|default)/.test(status))
        problems.push(`${name} ${status}: errors, and only errors, are problem documents`);
    }
  }
  t.same(problems, []);
});

t.test('an error that a description names has this status, and the operation declares it', async (t) => {
  let named = 0;
  for (const { name, description = '', responses = {} } of operations) {
    for (const [, status = '', code = ''] of description.matchAll(/\b([45]\d\d) ([A-Z]+(?:_[A-Z]+)+)/g)) {
      named += 1;
      t.equal(Reflect.get(ERRORS, code)?.status, Number(status), `${name}: ${code}`);
      if (status !== '400') t.ok(responses[status], `${name}: ${status}`);
    }
  }
  t.ok(named > 50, `${named} errors`);
});

t.test('every parameter has a description, those of the path first', (t) => {
  const PLACES = ['path', 'query', 'header'];
  const problems = operations.flatMap(({ name, parameters = [] }) => {
    const ranks = parameters.map((parameter) => PLACES.indexOf(parameter.in));
    const undescribed = parameters.filter(({ description }) => !description);
    return [
      ...undescribed.map((parameter) => `${name} ${parameter.name}`),
      ...(`${ranks}` === `${ranks.toSorted()}` ? [] : [`${name}: order of parameters`]),
    ];
  });
  t.same(problems, []);
  t.end();
});

t.test('a parameter with a default is optional', async (t) => {
  const { parameters } = document.paths['/api/qrcodes'].get;
  t.match(parameters, [
    { name: 'page', required: false, schema: { default: 1 } },
    { name: 'limit', required: false, schema: { default: 10 } },
  ]);
});

t.test('the filter by read allows what clients of the interface send', async (t) => {
  const compile = createSchemaCompiler();
  const { parameters } = document.paths['/api/notifications'].get;
  for (const filter of ['is_read', 'isRead']) {
    const { schema } = parameters.find(({ name }: { name: string }) => name === filter);
    const isValid = compile(schema);
    for (const value of [true, false, 'undefined', 'null', '']) t.ok(isValid(value), `${filter}=${value}`);
    t.notOk(isValid('maybe'));
  }
});

t.test('webhooks have an entry for each type of event, with its payload', async (t) => {
  t.same(Object.keys(document.webhooks), EVENT_TYPE_NAMES);
  const compile = createSchemaCompiler();
  for (const [type, { post }] of Object.entries<{ post: Operation }>(document.webhooks)) {
    const isValid = compile(post.requestBody?.content['application/json']?.schema ?? {});
    const id = '0'.repeat(24);
    const event = {
      id,
      type,
      timestamp: '2026-11-29T12:00:00.000Z',
      data: { id, path: `/api/qrcodes/${id}` },
    };
    t.ok(isValid(event), type);
    t.notOk(isValid({ ...event, type: 'code.unknown' }), `${type}: no other type`);
    t.notOk(isValid({ ...event, data: {} }), `${type}: with data`);
  }
});

t.test('a list documents status 304', async (t) => {
  for (const path of ['/api/qrcodes', '/api/scans', '/api/notifications', '/api/memory-tags'])
    t.ok(document.paths[path].get.responses['304'], path);
});

t.test('a record names its own time createdAt', async (t) => {
  const named = Object.keys(document.components.schemas).filter((name) => {
    const { properties } = resolveSchema(document, { $ref: `#/components/schemas/${name}` });
    return properties?.id && properties.at;
  });
  t.same(named, [], 'only a moment without an id is at');
});

interface NamedSchema {
  name: string;
  $ref?: string;
  format?: string;
  enum?: readonly unknown[];
  anyOf?: readonly NamedSchema[];
  items?: NamedSchema;
}

/** Every field and every parameter of a part of the document. */
function listNamedSchemas(part: unknown): NamedSchema[] {
  if (typeof part !== 'object' || part === null) return [];
  const { properties, name, schema } = part as Record<string, Record<string, object> | undefined>;
  return [
    ...Object.entries(properties ?? {}).map(([field, value]) => ({ ...value, name: field })),
    ...(typeof name === 'string' && schema ? [{ ...schema, name }] : []),
    ...Object.values(part).flatMap(listNamedSchemas),
  ];
}

const TIME_NAME = /(?:At|Since|Until|From|To|Start|End)$|^(?:at|since|from|to|timestamp)$/;
const DATE_NAME = /(?:On|Until|From|To)$|^day$/;

/** Upper case, or the name of an event, a scope or a permission. */
const ENUM_VALUE = /^[A-Z0-9_+-]+$|^[a-z_*-]+[.:][a-z_*-]+$|^\*$/;

/** Fields with other values, which somebody else fixed. */
const OTHER_ENUMS: Record<string, string> = {
  event: 'also frames of the protocol of the WebSocket',
  type: 'of scans: clients of the interface send `guest`',
  format: 'file formats',
  include: 'names of fields',
  interval: 'as Stripe names them',
  as: 'of a preview: the address is in use',
  status: 'health',
  tokenType: 'RFC 6750',
  sort: 'names of fields',
  is_read: 'clients send `undefined`',
  isRead: 'clients send `undefined`',
};

t.test('names of times, dates, reasons and enum values follow the glossary', (t) => {
  const all = listNamedSchemas(document);
  const has = (schema: NamedSchema, check: (one: NamedSchema) => boolean): boolean =>
    [schema, schema.items].some((one) => one !== undefined && check(one)) ||
    (schema.anyOf ?? []).some((one) => has(one, check));
  const listWrong = (isMeant: (one: NamedSchema) => boolean, isRight: (name: string) => boolean) => [
    ...new Set(all.filter((one) => has(one, isMeant) && !isRight(one.name)).map(({ name }) => name)),
  ];
  const isTime = ({ $ref, format }: NamedSchema) => format === 'date-time' || /\/Timestamp$/.test($ref ?? '');
  t.ok(all.filter((one) => has(one, isTime)).length > 100);
  t.same(
    listWrong(isTime, (name) => TIME_NAME.test(name)),
    [],
  );
  t.same(
    listWrong(
      ({ format }) => format === 'date',
      (name) => DATE_NAME.test(name) || TIME_NAME.test(name),
    ),
    [],
  );
  t.same(
    listWrong(
      ({ enum: values }) => values !== undefined,
      (name) => name !== 'reason',
    ),
    [],
    'free text',
  );
  t.same(
    all.filter((one) => one.name === 'category' && !has(one, ({ enum: values }) => values !== undefined)),
    [],
  );
  const isOther = ({ enum: values = [] }: NamedSchema) =>
    values.some((value) => typeof value === 'string' && !ENUM_VALUE.test(value));
  t.same(
    listWrong(isOther, (name) => name in OTHER_ENUMS),
    [],
  );
  t.end();
});

/** Of their values, one is chosen. */
const CHOICES = ['sort', 'by'];

const isChoice = ({ enum: values, default: preset }: { enum?: string[]; default?: string }) =>
  values !== undefined && preset === undefined;

t.test('a filter of a list with a set of values can be repeated', async (t) => {
  const lists = operations.filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'cursor'));
  t.ok(lists.length > 30);
  const single = lists.flatMap(({ name, parameters = [] }) =>
    parameters
      .filter(({ in: place, name: parameter }) => place === 'query' && !CHOICES.includes(parameter))
      .filter(({ schema }) => isChoice(resolveSchema(document, schema)))
      .map((parameter) => `${name}: ${parameter.name}`),
  );
  t.same(single, []);
});

t.test('an operation that accepts a form documents its fields and files', async (t) => {
  for (const [path, method] of [
    ['/api/auth/register', 'post'],
    ['/api/auth/create-profile', 'post'],
    ['/api/auth/profile/{id}', 'put'],
  ] as const) {
    const { content } = document.paths[path][method].requestBody;
    const form = resolveSchema(document, content['multipart/form-data'].schema);
    const { profilePicture, firstName } = form.properties;
    t.match(profilePicture, { type: 'string', format: 'binary' }, path);
    t.ok(firstName, `${path}: form fields`);
    const json = resolveSchema(document, content['application/json'].schema);
    t.notOk(json.properties.profilePicture, `${path}: no file in JSON`);
  }
});

t.test('every PATCH accepts its JSON as a merge patch', async (t) => {
  for (const [path, { patch }] of Object.entries<Record<string, Operation>>(document.paths)) {
    const content = patch?.requestBody?.content;
    if (content)
      t.same(content['application/merge-patch+json']?.schema, content['application/json']?.schema, path);
  }
});

t.test('a body can be left out where nothing in it is required', (t) => {
  const isRequired = (path: string) => document.paths[path].post.requestBody.required;
  for (const path of ['/api/qrcodes/{id}/lost', '/api/conversations/{id}/read'])
    t.equal(isRequired(path), false, path);
  for (const path of ['/api/qrcodes', '/api/conversations/public', '/api/auth/create-profile'])
    t.equal(isRequired(path), true, path);
  t.end();
});

t.test('a form that requires a file is documented without JSON, the others accept both', async (t) => {
  let forms = 0;
  for (const { name, requestBody } of operations) {
    const form = requestBody?.content['multipart/form-data'];
    if (!form) continue;
    const { type, properties, required = [] } = resolveSchema(document, form.schema);
    t.equal(type, 'object', name);
    const files = Object.entries<{ format?: string }>(properties).filter(
      ([, { format }]) => format === 'binary',
    );
    t.equal(files.length, 1, `${name}: one file`);
    const isRequired = required.includes(files[0]?.[0]);
    const types = Object.keys(requestBody.content);
    t.equal(types.includes('application/json'), !isRequired, `${name}: JSON`);
    if (isRequired)
      t.match(
        { types, requestBody },
        { types: ['multipart/form-data'], requestBody: { required: true } },
        name,
      );
    forms += 1;
  }
  t.ok(forms >= 8, `${forms} forms`);
});

t.test('the example of a new code is what its example body creates, and a lost code is lost', async (t) => {
  const { requestBody, responses } = document.paths['/api/qrcodes'].post;
  const { value } = requestBody.content['application/json'].examples.PET;
  const { kind, title, data } = value;
  const example = composeExample(document, responses['201'].content['application/json'].schema);
  t.match(example, { kind, title, status: 'ACTIVE', data: { name: data.name, breed: data.breed } });
  const { content } = document.paths['/api/qrcodes/{id}/lost'].post.responses['200'];
  t.match(composeExample(document, content['application/json'].schema), {
    status: 'LOST',
    lost: { reward: '100 EUR' },
  });
});

t.test('the mode of a code is a choice', async (t) => {
  for (const [path, method] of [
    ['/api/qrcodes/{id}', 'put'],
    ['/api/qrcodes/{id}', 'patch'],
    ['/api/qrcodes/render', 'post'],
  ] as const) {
    const { schema } = document.paths[path][method].requestBody.content['application/json'];
    t.match(resolveSchema(document, schema).properties.mode, { enum: ['DYNAMIC', 'STATIC'] }, path);
  }
  t.match(document.components.schemas.NewQrCodeBase.properties.mode, { enum: ['DYNAMIC', 'STATIC'] });
});

t.test('there is one example body for each kind of QR code', async (t) => {
  const { examples } = document.paths['/api/qrcodes'].post.requestBody.content['application/json'];
  t.equal(Object.keys(examples).length, 16);
  for (const [kind, { value }] of Object.entries<{ value: { kind: string } }>(examples))
    t.equal(value.kind, kind);
});

t.test('Redocly finds no error in the document', async (t) => {
  const config = await createConfig({
    extends: ['recommended'],
    // Warnings of the recommended rules.
    rules: {
      'no-invalid-media-type-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'no-invalid-schema-examples': 'error',
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  const errors = problems.filter(({ severity }) => severity === 'error');
  t.same(
    errors.map(({ ruleId, message, location }) => `${location[0]?.pointer} ${ruleId}: ${message}`),
    [],
  );
});

/** The service takes the path with more fixed parts; some gateways cannot. Give a new path a prefix of its own. */
const AMBIGUOUS_PATHS = [
  '/api/documents/shared/{token} | /api/documents/{id}/accesses',
  '/api/documents/shared/{token} | /api/documents/{id}/content',
  '/api/documents/shared/{token} | /api/documents/{id}/grants',
  '/api/documents/shared/{token} | /api/documents/{id}/restore',
  '/api/documents/shared/{token} | /api/documents/{id}/shares',
  '/api/documents/shared/{token} | /api/documents/{id}/versions',
  '/api/documents/{id}/shares | /api/documents/received/{grantId}',
  '/api/memory-tags/caring/{id} | /api/memory-tags/{id}/caretakers',
  '/api/memory-tags/caring/{id} | /api/memory-tags/{id}/export',
  '/api/memory-tags/caring/{id} | /api/memory-tags/{id}/guest-book',
  '/api/memory-tags/{id}/pictures | /api/memory-tags/caring/{id}',
  '/api/memory-tags/{id}/pictures | /api/memory-tags/guest-book/{token}',
  '/api/notifications/{id}/read | /api/notifications/devices/{id}',
  '/api/qrcodes/by-external-id/{externalId} | /api/qrcodes/{id}/appeals',
  '/api/qrcodes/by-external-id/{externalId} | /api/qrcodes/{id}/found',
  '/api/qrcodes/by-external-id/{externalId} | /api/qrcodes/{id}/history',
  '/api/qrcodes/by-external-id/{externalId} | /api/qrcodes/{id}/image',
  '/api/qrcodes/by-external-id/{externalId} | /api/qrcodes/{id}/lost',
  '/api/qrcodes/by-external-id/{externalId} | /api/qrcodes/{id}/pictures',
  '/api/qrcodes/by-external-id/{externalId} | /api/qrcodes/{id}/poster',
  '/api/qrcodes/by-external-id/{externalId} | /api/qrcodes/{id}/preview',
  '/api/qrcodes/by-external-id/{externalId} | /api/qrcodes/{id}/reports',
  '/api/qrcodes/by-external-id/{externalId} | /api/qrcodes/{id}/restore',
  '/api/qrcodes/by-external-id/{externalId} | /api/qrcodes/{id}/stats',
  '/api/qrcodes/by-external-id/{externalId} | /api/qrcodes/{id}/takedown',
  '/api/qrcodes/by-external-id/{externalId} | /api/qrcodes/{id}/test',
  '/api/subscription/checkout-session/{id} | /api/subscription/{subscriptionId}/keep',
];

t.test('no path matches the addresses of another one, but for those that are known', async (t) => {
  const config = await createConfig({ rules: { 'no-ambiguous-paths': 'error' } });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  const pairs = problems.map(({ message }) =>
    [...message.matchAll(/`([^`]+)`/g)].map(([, path]) => path).join(' | '),
  );
  t.same(pairs.toSorted(), AMBIGUOUS_PATHS);
});

t.test('OPTIONS is 204 and empty on every documented path, with or without preflight headers', async (t) => {
  const preflight = { origin: 'https://app.example.org', 'access-control-request-method': 'POST' };
  for (const path of Object.keys(document.paths)) {
    const url = path.replace(/\{[^}]+\}/g, '0123456789abcdef01234567');
    for (const headers of [{}, preflight]) {
      const { status, text } = await call('OPTIONS', url, { headers });
      t.same({ status, text }, { status: 204, text: '' }, path);
    }
  }
});

t.test('the document is sent compressed, with a strong ETag and 304', async (t) => {
  const get = (headers: Record<string, string>) => app.inject({ url: '/api/docs/json', headers });
  const plain = await get({});
  t.equal(plain.headers['content-encoding'], undefined);
  for (const [accepted, encoding, decode] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const) {
    const { headers, rawPayload } = await get({ 'accept-encoding': accepted });
    t.match(headers, { 'content-encoding': encoding, 'cache-control': 'public, no-cache' }, accepted);
    t.match(headers.vary, /Accept-Encoding/);
    t.match(headers.etag, /^"[^"]+"$/, 'strong');
    t.not(headers.etag, plain.headers.etag, 'each encoding has its own');
    t.ok(rawPayload.length < 120_000, `${rawPayload.length} bytes`);
    t.equal(decode(rawPayload).toString(), plain.payload);
    const again = await get({ 'accept-encoding': accepted, 'if-none-match': String(headers.etag) });
    t.match(again, { statusCode: 304, payload: '' });
    t.equal(again.headers.etag, headers.etag);
  }
  t.equal((await app.inject({ method: 'HEAD', url: '/api/docs/json' })).statusCode, 200);
});

t.test('the API reference loads its script from the service itself', async (t) => {
  for (const url of ['/api/docs', '/api/docs/']) {
    const page = await app.inject(url);
    t.match(page.headers['content-type'], /^text\/html/);
    const addresses = [
      ...page.body.matchAll(/<(?:script|link|img)\b[^>]*\b(?:src|href)=["']([^"']+)["']/g),
    ].map(([, address = '']) => address);
    t.same(addresses.map((address) => address.replace(/=.*/, '')).sort(), [
      '/api/docs/json',
      '/api/docs/reference.js?v',
      'data:,',
    ]);
    const policy = String(page.headers['content-security-policy']);
    t.match(policy, /^default-src 'none'; script-src 'self' 'sha256-[^']+'; style-src 'unsafe-inline'/);
    t.notMatch(policy, /https?:|\*|unsafe-eval/, 'the browser blocks other origins');
    const [, inline = ''] = /<script>(.*)<\/script>/.exec(page.body) ?? [];
    t.ok(policy.includes(createHash('sha256').update(inline).digest('base64')), 'its own script is allowed');
    const script = await app.inject(addresses.find((address) => address.includes('.js')) ?? '');
    t.match(script.headers, { 'cache-control': /immutable/, 'content-type': /^text\/javascript/ });
  }
});
