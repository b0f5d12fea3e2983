import { parseQrCodeKind, QR_CODE_KINDS } from '../../../../src/features/codes/kinds/all-kinds.ts';
import { describeQrCodeKinds } from '../../../../src/features/codes/kinds/describe-kinds.ts';
import { findQrCodeDataErrors } from '../../../../src/features/codes/kinds/validate-data.ts';
import { t } from '../../../tap.ts';
import { OWN_ADDRESSES } from './own-addresses.ts';

const NAMES = [
  ...['MEMORY_TAG', 'MEDICAL', 'CAR', 'LUGGAGE', 'PET', 'IDENTIFICATION', 'DOCUMENT'],
  ...['WIFI', 'URL', 'TEXT', 'VCARD', 'EMAIL', 'PHONE', 'SMS', 'LOCATION', 'EVENT'],
];

t.test('there are exactly the sixteen kinds of the API', async (t) => {
  t.same(QR_CODE_KINDS.map((kind) => kind.kind).toSorted(), NAMES.toSorted());
});

t.test('a kind is found in any case, with spaces, hyphens and underscores', async (t) => {
  for (const name of ['memory tag', 'Memory-Tag', ' MEMORY_TAG ', 'memory  tag'])
    t.equal(parseQrCodeKind(name)?.kind, 'MEMORY_TAG', name);
  for (const name of ['', 'memorytagg', '__proto__', 'constructor', 'pet\0', 'x'.repeat(10_000)])
    t.equal(parseQrCodeKind(name), null, JSON.stringify(name.slice(0, 20)));
});

t.test('every field has a title, a description and a limit', async (t) => {
  const check = (path: string, schema: Record<string, unknown>): void => {
    t.type(schema.title, 'string', `${path} has a title`);
    t.type(schema.description, 'string', `${path} has a description`);
    if (schema.type === 'object')
      t.equal(schema.additionalProperties, false, `${path} refuses misspelt keys`);
    if (schema.type === 'string')
      t.ok(schema.maxLength ?? schema.enum ?? schema.format ?? schema.pattern, `${path} is bounded`);
    if (schema.type === 'array') t.type(schema.maxItems, 'number', `${path} is bounded`);
    if (isRecord(schema.items)) check(`${path}[]`, schema.items);
    for (const [name, member] of Object.entries(schema.properties ?? {})) check(`${path}.${name}`, member);
  };
  for (const { kind, schema } of describeQrCodeKinds()) check(kind, schema);
});

t.test('exactly the fields of a kind have a default visibility', async (t) => {
  for (const { kind, schema, defaultVisibility } of QR_CODE_KINDS) {
    const { pictures, ...fields } = defaultVisibility;
    t.same(Object.keys(fields).toSorted(), Object.keys(schema.properties).toSorted(), kind);
  }
});

t.test('the example of each kind is valid', async (t) => {
  for (const kind of QR_CODE_KINDS)
    t.same(findQrCodeDataErrors(OWN_ADDRESSES, kind, kind.example), [], kind.kind);
});

t.test('the smallest body has one field of the example, or two for a location', async (t) => {
  for (const kind of QR_CODE_KINDS) {
    const required = kind.schema.required ?? [];
    t.equal(
      required.length,
      kind.kind === 'LOCATION' ? 2 : 1,
      `${kind.kind} requires ${required.join(' and ')}`,
    );
    const smallest = Object.fromEntries(required.map((field) => [field, kind.example[field]]));
    t.same(findQrCodeDataErrors(OWN_ADDRESSES, kind, smallest), [], kind.kind);
    const missing = findQrCodeDataErrors(OWN_ADDRESSES, kind, {}).map(({ field, code }) => ({ field, code }));
    t.same(
      missing,
      required.map((field) => ({ field: `data.${field}`, code: 'REQUIRED' })),
      `${kind.kind} without it`,
    );
  }
});

t.test('the descriptions are plain JSON', async (t) => {
  t.same(JSON.parse(JSON.stringify(describeQrCodeKinds())), describeQrCodeKinds());
});

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
