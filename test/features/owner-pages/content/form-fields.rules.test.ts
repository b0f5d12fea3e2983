import { QR_CODE_KINDS } from '../../../../src/features/codes/index.ts';
import { findQrCodeDataErrors } from '../../../../src/features/codes/kinds/validate-data.ts';
import {
  type FieldSchema,
  getFieldType,
  parseFormValues,
  toFormErrors,
  toFormValues,
} from '../../../../src/features/owner-pages/content/form-fields.rules.ts';
import { t } from '../../../tap.ts';
import { OWN_ADDRESSES } from '../../codes/kinds/own-addresses.ts';

t.test('the content of every kind is the same after its form was sent unchanged', async (t) => {
  for (const { kind, schema, example } of QR_CODE_KINDS)
    for (const timeZone of ['UTC', 'America/New_York', 'Asia/Kathmandu']) {
      const values = toFormValues(schema, example, timeZone);
      t.same(parseFormValues(schema, values, timeZone), example, `${kind} in ${timeZone}`);
    }
});

t.test('every field of every kind has a value in the form, and comes back', async (t) => {
  for (const definition of QR_CODE_KINDS) {
    const { kind, schema } = definition;
    const data = createValue(schema) as Record<string, unknown>;
    t.same(Object.keys(data), Object.keys(schema.properties), `${kind}: all fields`);
    t.same(
      findQrCodeDataErrors(OWN_ADDRESSES, definition, data).filter(({ code }) => code !== 'NOT_ALLOWED'),
      [],
      `${kind}: the values are valid`,
    );
    t.same(parseFormValues(schema, toFormValues(schema, data, 'Europe/Paris'), 'Europe/Paris'), data, kind);
  }
});

t.test('an empty form is empty content', async (t) => {
  for (const { kind, schema, example } of QR_CODE_KINDS) {
    const values = toFormValues(schema, example, 'UTC');
    const empty = Object.fromEntries(Object.keys(values).map((name) => [name, ' ']));
    t.same(parseFormValues(schema, empty, 'UTC', example), leaveFieldsOf(example, values), kind);
  }
});

t.test('fields that a form does not have stay as they are stored', async (t) => {
  const { schema, example } = getKind('PET');
  const data = parseFormValues(schema, { 'data.name': 'Max' }, 'UTC', example);
  t.same(data, { ...example, name: 'Max' });
  t.same(Object.keys(data)[0], 'name', 'in the order of the schema');
});

t.test('an entry of a list is removed by its box or by emptying it, and others move up', async (t) => {
  const { schema } = getKind('MEDICAL');
  const values = {
    'data.allergies[0].name': 'Penicillin',
    'data.allergies[0].remove': '1',
    'data.allergies[2].name': 'Peanuts',
    'data.allergies[2].severity': 'SEVERE',
    'data.allergies[7].name': '',
    'data.allergies[10].name': 'Latex',
    'data.allergies.name': 'no entry',
    'data.allergies[x].name': 'no number',
  };
  t.same(parseFormValues(schema, values, 'UTC'), {
    allergies: [{ name: 'Peanuts', severity: 'SEVERE' }, { name: 'Latex' }],
  });
});

t.test('what people write is understood', async (t) => {
  const parse = (kind: string, values: Record<string, string>) =>
    parseFormValues(getKind(kind).schema, values, 'Europe/Berlin');
  t.same(parse('PET', { 'data.weightKg': ' 18,5 ' }), { weightKg: 18.5 });
  t.same(parse('PET', { 'data.neutered': 'false' }), { neutered: false });
  t.same(parse('PET', { 'data.address.country': 'de' }), { address: { country: 'DE' } });
  t.same(parse('URL', { 'data.url': 'example.com/menu' }), { url: 'https://example.com/menu' });
  t.same(parse('WIFI', { 'data.password': ' two cups ' }), { password: ' two cups ' }, 'blanks count');
  t.same(parse('MEDICAL', { 'data.languages': 'de\n\n el \n' }), { languages: ['de', 'el'] });
  t.same(parse('EVENT', { 'data.startsAt': '2027-01-12T18:00' }), { startsAt: '2027-01-12T18:00:00+01:00' });
  t.same(parse('EVENT', { 'data.startsAt': '2027-07-12T18:00' }), { startsAt: '2027-07-12T18:00:00+02:00' });
});

t.test('what nobody understands stays for the error at its field', async (t) => {
  const parse = (kind: string, values: Record<string, string>) =>
    parseFormValues(getKind(kind).schema, values, 'UTC');
  t.same(parse('PET', { 'data.weightKg': 'heavy' }), { weightKg: 'heavy' });
  t.same(parse('PET', { 'data.neutered': 'maybe' }), { neutered: 'maybe' });
  t.same(parse('URL', { 'data.url': 'javascript:alert(1)' }), { url: 'javascript:alert(1)' });
  t.same(parse('EVENT', { 'data.startsAt': 'tomorrow' }), { startsAt: 'tomorrow' });
  t.same(parse('EVENT', { 'data.startsAt': '2027-13-45T99:00' }), { startsAt: '2027-13-45T99:00' });
  t.same(parse('PET', { 'data.unknown': 'x', 'other.name': 'x' }), {}, 'unknown fields are dropped');
});

t.test('the error of one line stands at the field of all', async (t) => {
  const { schema } = getKind('MEDICAL');
  const toField = (field: string) =>
    toFormErrors(schema, [{ field, code: 'TOO_LONG', message: '' }])[0]?.field;
  t.equal(toField('data.languages[1]'), 'data.languages');
  t.equal(toField('data.allergies[1].name'), 'data.allergies[1].name');
  t.equal(toField('data.allergies[1]'), 'data.allergies[1]');
  t.equal(toField('title'), 'title');
});

function getKind(name: string) {
  const kind = QR_CODE_KINDS.find((one) => one.kind === name);
  if (!kind) throw new Error(name);
  return kind;
}

/** Groups and texts whose fields the form has are gone. */
function leaveFieldsOf(example: object, values: object): object {
  const names = Object.keys(values);
  return Object.fromEntries(
    Object.entries(example).filter(([key]) => !names.some((name) => name.startsWith(`data.${key}`))),
  );
}

function createValue(field: FieldSchema): unknown {
  switch (getFieldType(field)) {
    case 'group':
      return Object.fromEntries(
        Object.entries(field.properties ?? {}).map(([key, member]) => [key, createValue(member)]),
      );
    case 'groups':
    case 'lines':
      return [createValue(field.items ?? {}), createValue(field.items ?? {})];
    case 'number':
      return Math.max(field.minimum ?? 1, 1);
    case 'yesOrNo':
      return false;
    case 'choice':
      return field.enum?.[0];
    case 'phone':
      return '+49 30 1234567';
    case 'email':
      return 'anna@example.com';
    case 'url':
      return 'http://example.com/a?b=c';
    case 'country':
      return 'PT';
    case 'date':
      return '2024-02-29';
    case 'partialDate':
      return '2024-02';
    case 'dateTime':
      return '2027-06-12T18:00:30+05:45';
    case 'text':
      return '\n first\n\n second ';
    default:
      return createLine(field);
  }
}

/** One that the pattern of the field allows. */
function createLine({ pattern }: FieldSchema): string {
  const lines = ['<b>"A" & b</b>', 'de', '91936005', '276098106234567', '0220123456', 'WVWZZZ1JZXW000001'];
  const line = lines.find((one) => new RegExp(pattern ?? '', 'u').test(one));
  if (line === undefined) throw new Error(pattern);
  return line;
}

t.test('of a list that is too long, one entry more than allowed is read', async (t) => {
  const { schema } = QR_CODE_KINDS.find(({ kind }) => kind === 'MEDICAL') ?? { schema: {} };
  const values = Object.fromEntries(
    Array.from({ length: 900 }, (_value, index) => [`data.allergies[${index}].name`, 'x']),
  );
  const { allergies, languages } = parseFormValues(
    schema,
    { ...values, 'data.languages': 'en\n'.repeat(30_000) },
    'UTC',
  );
  t.ok(Array.isArray(allergies) && allergies.length > 10 && allergies.length < 60);
  t.ok(Array.isArray(languages) && languages.length > 1 && languages.length < 60);
});
