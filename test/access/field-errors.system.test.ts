import { Ajv, type AnySchema } from 'ajv';
import formats from 'ajv-formats';
import { TEXT_FORMATS_BY_PATTERN } from '../../src/shared/common.schemas.ts';
import { FORMATS } from '../../src/shared/formats.ts';
import { createFakeProvider } from '../features/billing/payments/fake-provider.ts';
import { startTestApp, type TestResponse } from '../helper.ts';
import { getOpenApiDocument } from '../openapi-document.ts';
import { t } from '../tap.ts';
import { ACCESS_MATRIX } from './access-matrix.ts';
import { type CallerName, createCallerAccounts, createSessionToken } from './callers.ts';
import { encodeFields, readFields, type Schema, type SentFields } from './request-fields.ts';
import { createTestResources } from './test-resources.ts';

interface Parameter {
  name: string;
  in: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** A value of one field, and the errors that the service answers although the schema holds. */
interface RuleViolation {
  field: string;
  value: unknown;
  errors: string[];
}

const test = await startTestApp(t, {}, { payments: createFakeProvider().provider });
await test.database.pool.query(
  `UPDATE subscription_packages SET limits = limits || '{"qrCodes": null, "members": null, "storageBytes": null}'`,
);
const accounts = await createCallerAccounts(test);
const things = createTestResources(test, accounts.owner);
const document = await getOpenApiDocument(test.call);
const ajv = new Ajv({ strict: false, logger: false });
formats.default(ajv);
for (const [name, { isValid }] of Object.entries(FORMATS)) ajv.addFormat(name, isValid);
for (const [pattern, name] of TEXT_FORMATS_BY_PATTERN) ajv.addFormat(name, new RegExp(pattern, 'u'));
ajv.addSchema(document, 'document');

const TEXTS = [
  ...['', ' ', 'x', '12345678', 'owner@example.org', 'Mars/Base', '2001-02-31', '2000-01-01T00:00:00Z'],
  ...[
    '2000-01-01T00:07:13Z',
    '9999-01-01T00:00:00Z',
    'GBP',
    `age1${'x'.repeat(58)}`,
    '\u200b\u200b\u200b\u200b',
  ],
];
/** What the first field must not be depends on the others: it can not be judged without them. */
const DEPENDENT_FIELDS: Record<string, string[]> = {
  'POST /api/subscription/checkout-session': ['packageId', 'interval', 'currency'],
  'POST /api/conversations/public': ['scanId', 'qrCodeId', 'message', 'preset'],
  'POST /api/conversations/:id/messages': ['message', 'preset'],
  'POST /api/conversations/public/:id/messages': ['message', 'preset'],
  'POST /api/invitations/accept': ['token', 'invitationId'],
  'POST /api/invitations/decline': ['token', 'invitationId'],
  'POST /api/auth/mfa/recovery-codes': ['code', 'recoveryCode'],
  'POST /api/batches': ['count', 'rows'],
  'PATCH /api/batches/:id/tags': ['from', 'to', 'printed', 'handedOut'],
  'POST /api/print-sheets': ['ids', 'filter', 'template', 'custom', 'startCell'],
  'POST /api/qrcodes': ['kind', 'data', 'visibility'],
  'POST /api/qrcodes/preview': ['kind', 'data', 'visibility'],
  'POST /api/qrcodes/render': ['kind', 'data', 'visibility'],
  'GET /api/qrcodes/:id/stats': ['from', 'to'],
  'GET /api/scans/stats': ['from', 'to'],
  'GET /api/scans/report': ['from', 'to'],
  'PUT /api/admin/packages/:id': ['prices', 'onOffer'],
};

const VALUES: unknown[] = [...TEXTS, null, true, 0, 1, 99, 1e9, {}, []];
const NESTED_VALUES: unknown[] = ['', 'x', '2001-02-31', 'GBP', null, 99];
const WRONG_VALUES: unknown[] = [{}, [], 'wrong?', -5, true, null];

t.test(
  'one answer names fields of the wrong form and fields that break a rule, in every operation',
  async (t) => {
    let operations = 0;
    let violations = 0;
    const incomplete: string[] = [];
    for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const found = await findRuleViolations(method.toUpperCase(), path, operation);
        if (found === null) continue;
        operations += 1;
        violations += found.violations.length;
        for (const violation of found.violations) await assertNamedTogether(violation, found);
      }
    }
    t.same(incomplete, []);
    t.ok(operations >= 70, `${operations} operations with fields`);
    t.ok(violations >= 40, `${violations} fields that can break a rule`);

    async function assertNamedTogether(violation: RuleViolation, { name, fields, send, violations }: Probe) {
      const dependent = DEPENDENT_FIELDS[name] ?? [];
      const isIndependent = ({ field }: { field: string }) =>
        field !== violation.field && !(dependent.includes(field) && dependent.includes(violation.field));
      const others = fields.filter(isIndependent);
      const wrong = others.find(({ wrongValue }) => wrongValue !== undefined);
      if (wrong) {
        const answer = await send({ [violation.field]: violation.value, [wrong.field]: wrong.wrongValue });
        const named = getErrors(answer);
        const expected = [...violation.errors, wrong.field];
        if (!expected.every((error) => named.some((other) => isAbout(`${other} `, error))))
          incomplete.push(`${name}: ${violation.field} beside ${wrong.field}: ${named.join(', ')}`);
      }
      for (const other of violations.filter((one) => one.field > violation.field && isIndependent(one))) {
        const answer = await send({ [violation.field]: violation.value, [other.field]: other.value });
        const named = getErrors(answer);
        if (![violation.field, other.field].every((field) => named.some((error) => isAbout(error, field))))
          incomplete.push(`${name}: ${violation.field} and ${other.field}: ${named.join(', ')}`);
      }
    }
  },
);

interface Probe {
  name: string;
  fields: { field: string; wrongValue: unknown }[];
  violations: RuleViolation[];
  send(fields: Record<string, unknown>): Promise<TestResponse>;
}

async function findRuleViolations(method: string, path: string, operation: Operation): Promise<Probe | null> {
  const name = `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
  const row = ACCESS_MATRIX[name];
  if (!row) return null;
  const [type, { schema: bodySchema }] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [
    '',
    { schema: {} },
  ];
  const bodyFields = readFields(document, bodySchema);
  const queryFields = Object.fromEntries(
    (operation.parameters ?? []).filter((one) => one.in === 'query').map((one) => [one.name, one.schema]),
  );
  const schemas = { ...queryFields, ...bodyFields };
  if (Object.keys(schemas).length === 0) return null;

  const caller = (['owner', 'admin', 'support', 'anonymous'] as CallerName[]).find(
    (one) => ![401, 403].includes(row.rule(one)),
  );
  // Administrators change the account of the path, which the other operations need unchanged.
  const subject = caller === 'owner' ? accounts.owner : accounts.stranger;
  const cell = { test, caller: caller ?? 'anonymous', accounts: { ...accounts, owner: subject }, things };
  const request = (await row.request?.(cell)) ?? {};
  const token =
    caller === undefined || caller === 'anonymous'
      ? undefined
      : (await createSessionToken(test, accounts[caller])).token;
  const remaining = [...(request.ids ?? [])];
  const url = path.replace(/\{\w+\}/g, () => remaining.shift() ?? 'missing');

  const send = async (changes: Record<string, unknown>) => {
    const sent: SentFields = { query: Object.fromEntries(new URLSearchParams(request.query)), body: {} };
    if (typeof request.body === 'object' && !Buffer.isBuffer(request.body)) sent.body = { ...request.body };
    for (const [field, value] of Object.entries(changes)) {
      const part = field in bodyFields ? sent.body : sent.query;
      if (value === undefined) delete part[field];
      else part[field] = value;
    }
    const { body, headers, query } = encodeFields(type, sent);
    return test.call(method, `${url}${query}`, {
      token,
      ...(operation.requestBody ? { body } : {}),
      headers: { ...request.headers, ...headers },
    });
  };

  const toSent = (value: unknown, field: string): unknown => {
    if (!(field in bodyFields)) return toParameter(value);
    return type === 'multipart/form-data' && typeof value !== 'string' ? JSON.stringify(value) : value;
  };
  const fields = Object.entries(schemas).map(([field, schema]) => {
    const isValid = compile(schema);
    const values: unknown[] = field in bodyFields ? WRONG_VALUES : ['wrong?', '-5', '', '99999999999'];
    const wrongValue = values.find((value) => !isValid(toSent(value, field)));
    return { field, wrongValue };
  });
  const violations: RuleViolation[] = [];
  for (const [field, schema] of Object.entries(schemas)) {
    const isValid = compile(schema);
    const inBody = field in bodyFields;
    const candidates: unknown[] = inBody ? [...VALUES, undefined, ...nest(schema)] : TEXTS;
    for (const value of candidates) {
      if (value !== undefined && !isValid(toSent(value, field))) continue;
      const errors = getErrors(await send({ [field]: value })).filter((error) => isAbout(error, field));
      if (errors.length === 0) continue;
      violations.push({ field, value, errors });
      break;
    }
  }
  return { name, fields, violations, send };
}

function compile(schema: Schema): (value: unknown) => boolean {
  // References to the document, which is read once.
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
  const validate = ajv.compile(JSON.parse(text) as AnySchema);
  return (value) => validate(value) === true;
}

/** A parameter is a text in the query; its schema may be of a number. */
function toParameter(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** Objects and lists with one member of each value. */
function nest(schema: Schema): unknown[] {
  const members = Object.keys(readFields(document, schema));
  return [
    ...members.flatMap((member) => NESTED_VALUES.map((value) => ({ [member]: value }))),
    ...NESTED_VALUES.map((value) => [value]),
  ];
}

function getErrors({ status, body }: TestResponse): string[] {
  if (status !== 400 || body?.code !== 'VALIDATION_FAILED') return [];
  return (body.errors ?? []).map(({ field, code }: Record<string, string>) => `${field} ${code}`);
}

function isAbout(error: string, field: string): boolean {
  return [' ', '.', '['].some((end) => error.startsWith(`${field}${end}`));
}
