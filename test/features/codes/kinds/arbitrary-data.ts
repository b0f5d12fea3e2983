import type { QrCodeKindDefinition } from '../../../../src/features/codes/kinds/kind-definition.ts';
import { findQrCodeDataErrors } from '../../../../src/features/codes/kinds/validate-data.ts';
import { fc } from '../../../property.ts';
import { OWN_ADDRESSES } from './own-addresses.ts';

interface Schema {
  type?: string;
  enum?: readonly string[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
}

/** Text that breaks encoders and escaping, besides ordinary characters. */
const TEXT_SAMPLES = [
  ...'aZ09 ;:,\\"\'?&#%+/=<>|{}~^`@!',
  ...'äßéñøŁ°£€½µ—„“…',
  ...[
    '犬',
    'ポチ',
    '東京',
    'مرحبا',
    'שלום',
    'Привет',
    'ไทย',
    '한국어',
    '😀',
    '🐕‍🦺',
    '🇩🇪',
    'e\u0301',
    '\u200b',
    '𝔘',
  ],
  ...['END:VCARD', 'BEGIN:VEVENT', 'P:', ';;', '\\n', 'http://', '&amp;', '$(x)', "' OR 1=1"],
];

export function createDataArbitrary(
  kind: QrCodeKindDefinition,
  maxCharacters = 30,
): fc.Arbitrary<Record<string, unknown>> {
  const schema: Schema = JSON.parse(JSON.stringify(kind.schema));
  return createObjectArbitrary(schema, maxCharacters).filter(
    (data) => findQrCodeDataErrors(OWN_ADDRESSES, kind, data).length === 0,
  );
}

function createSchemaArbitrary(schema: Schema, maxCharacters: number): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'object') return createObjectArbitrary(schema, maxCharacters);
  if (schema.type === 'array')
    return fc.array(createSchemaArbitrary(schema.items ?? {}, maxCharacters), { minLength: 1, maxLength: 2 });
  if (schema.type === 'boolean') return fc.boolean();
  const { minimum: min = 0, maximum: max = 0 } = schema;
  if (schema.type === 'integer') return fc.integer({ min, max });
  if (schema.type === 'number') return fc.double({ min, max, noNaN: true });
  return createStringArbitrary(schema, maxCharacters);
}

function createObjectArbitrary(schema: Schema, maxCharacters: number): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.entries(schema.properties ?? {});
  return fc.record(
    Object.fromEntries(members.map(([name, member]) => [name, createSchemaArbitrary(member, maxCharacters)])),
    {
      requiredKeys: [...(schema.required ?? [])],
      noNullPrototype: true,
    },
  );
}

function createStringArbitrary(
  { format, pattern = '', maxLength = 100 }: Schema,
  maxCharacters: number,
): fc.Arbitrary<string> {
  const moment = fc.date({ min: new Date('1900-01-02'), max: new Date('2199-12-30'), noInvalidDate: true });
  if (format === 'date') return moment.map((date) => date.toISOString().slice(0, 10));
  if (format === 'partial-date')
    return fc
      .tuple(moment, fc.constantFrom(4, 7, 10))
      .map(([date, length]) => date.toISOString().slice(0, length));
  if (format === 'date-time') return moment.map((date) => date.toISOString());
  if (format === 'email') return fc.emailAddress();
  if (pattern.startsWith('^[Hh]')) return fc.webUrl({ withQueryParameters: true, withFragments: true });
  if (format === 'phone' || pattern.startsWith('^(?='))
    return fc.stringMatching(/^\+?[0-9]{3}[0-9 ()./-]{0,8}$/);
  if (!pattern.startsWith('^(?!')) return fc.stringMatching(new RegExp(pattern));
  const units = pattern.includes('\\u000b') ? [...TEXT_SAMPLES, '\n', '\t'] : TEXT_SAMPLES;
  const limit = Math.min(maxLength, maxCharacters);
  return fc
    .array(fc.constantFrom(...units), { minLength: 1, maxLength: limit })
    .map((samples) => samples.join(''))
    .filter((string) => [...string].length <= limit && string.trim() !== '');
}
