import fc from 'fast-check';
import { type ApiDocument, type Schema, toObject } from './document.ts';
import { normalizeName, type RecordPlaceholder } from './record-placeholder.ts';
import { getTextArbitrary, toNumberOrDefault } from './text-arbitraries.ts';

export const VALID_PASSWORD = 'a lighthouse for lost dogs';

/** File fields of a form, replaced by a picture when encoded. */
export const PICTURE_NAMES = ['picture:jpeg', 'picture:png'];

const ID = '^[0-9a-f]{24}$';

/** Create values that a schema allows; `name` is the field name, which may refer to a real record. */
export function createValueArbitrary(
  document: ApiDocument,
  input: Schema,
  name: string,
): fc.Arbitrary<unknown> {
  const schema = document.resolve(input);
  const known = findKnownValues(schema, name);
  if (known !== undefined) return known;
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  const union = toSchemaList(schema.oneOf).concat(toSchemaList(schema.anyOf));
  if (union.length > 0) {
    const { oneOf: _one, anyOf: _any, ...rest } = schema;
    return fc.oneof(
      ...union.map((part) =>
        createValueArbitrary(document, mergeSchemas(rest, document.resolve(part)), name),
      ),
    );
  }
  const all = toSchemaList(schema.allOf);
  if (all.length > 0) {
    const { allOf: _all, ...rest } = schema;
    const merged = all.reduce<Schema>((sum, part) => mergeSchemas(sum, document.resolve(part)), rest);
    return createValueArbitrary(document, merged, name);
  }
  if (Array.isArray(schema.type)) {
    const types: unknown[] = schema.type;
    return fc.oneof(...types.map((type) => createValueArbitrary(document, { ...schema, type }, name)));
  }
  return createTypeArbitrary(document, schema, name);
}

function createTypeArbitrary(document: ApiDocument, schema: Schema, name: string): fc.Arbitrary<unknown> {
  switch (schema.type ?? (schema.properties ? 'object' : undefined)) {
    case 'object':
      return createObjectArbitrary(document, schema);
    case 'array':
      return fc.array(createValueArbitrary(document, (schema.items ?? {}) as Schema, name), {
        minLength: toNumberOrDefault(schema.minItems, 0),
        maxLength: Math.min(toNumberOrDefault(schema.maxItems, 3), toNumberOrDefault(schema.minItems, 0) + 3),
      });
    case 'string':
      return createFormatArbitrary(schema);
    case 'integer': {
      const { min, max } = getNumberBounds(schema);
      return fc.oneof(fc.integer({ min, max }), fc.integer({ min, max: Math.min(max, min + 2) }));
    }
    case 'number': {
      const { min, max } = getNumberBounds(schema);
      return fc.oneof(
        fc.double({ min, max, noNaN: true }).map((value) => Number(value.toFixed(6))),
        fc.integer({ min: Math.ceil(min), max: Math.floor(max) }),
      );
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.constantFrom<unknown>('anything', 1, true, null, [], {});
  }
}

function createObjectArbitrary(document: ApiDocument, schema: Schema): fc.Arbitrary<unknown> {
  const names = toUnknownList(document.resolve(toObject(schema.propertyNames)).enum).map(String);
  const properties = [
    ...Object.entries((schema.properties ?? {}) as Record<string, Schema>),
    ...names.map((name) => [name, toObject(schema.additionalProperties)] as const),
  ];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields = properties.map(([name, inner]) => {
    return [name, createValueArbitrary(document, inner, name)] as const;
  });
  // Omit most optional fields; otherwise few requests would be valid as a whole.
  return fc
    .tuple(fc.record(Object.fromEntries(fields)), fc.nat({ max: 2 ** 30 }))
    .map(([record, chance]) =>
      Object.fromEntries(
        Object.entries(record).filter(
          ([name, value], index) =>
            value !== undefined && (required.has(name) || ((chance >> (index % 30)) & 1) === 1),
        ),
      ),
    );
}

function findKnownValues(schema: Schema, name: string): fc.Arbitrary<unknown> | undefined {
  if (schema.type !== 'string' && !(Array.isArray(schema.type) && schema.type.includes('string')))
    return undefined;
  const normalized = normalizeName(name);
  if (schema.pattern === ID) return createPickArbitrary('id', normalized.replace(/id$/, ''));
  if (schema.enum !== undefined) return undefined;
  if (/password$/.test(normalized) && name !== 'password_hash')
    return fc.oneof(
      { weight: 4, arbitrary: fc.constant(VALID_PASSWORD) },
      { weight: 1, arbitrary: getTextArbitrary(schema) },
    );
  if (normalized === 'email' && schema.format !== 'email')
    return fc.oneof(
      { weight: 2, arbitrary: createPickArbitrary('email', 'email') },
      { weight: 2, arbitrary: fc.nat({ max: 99_999 }).map((n) => `fuzz-${n}@example.org`) },
    );
  if (normalized === 'visit')
    return fc.oneof(createPickArbitrary('token', 'visittoken'), getTextArbitrary(schema));
  if (/token$/.test(normalized))
    return fc.oneof(
      { weight: 5, arbitrary: createPickArbitrary('token', normalized) },
      { weight: 1, arbitrary: getTextArbitrary(schema) },
    );
  return undefined;
}

/** Create references to records of the running service: mostly own ones, sometimes of others, rarely absent ones. */
export function createPickArbitrary(
  pick: RecordPlaceholder['$pick'],
  of: string,
): fc.Arbitrary<RecordPlaceholder> {
  const ownership = fc.constantFrom('own', 'own', 'own', 'own', 'any', 'absent' as const);
  return fc.record({ $pick: fc.constant(pick), of: fc.constant(of), ownership, index: fc.nat({ max: 999 }) });
}

function createFormatArbitrary(schema: Schema): fc.Arbitrary<string> {
  const date = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-12-31'), noInvalidDate: true });
  switch (schema.format) {
    case 'date-time':
      return date.map((value) => value.toISOString());
    case 'date':
      return date.map((value) => value.toISOString().slice(0, 10));
    case 'email':
      return fc.nat({ max: 9_999 }).map((n) => `person-${n}@example.org`);
    case 'uuid':
      return fc.uuid();
    case 'binary':
      return fc.constantFrom(...PICTURE_NAMES);
    case 'uri':
      return fc.constantFrom('https://example.org/', 'http://example.com/a?b=c');
    default:
      return getTextArbitrary(schema);
  }
}

function getNumberBounds(schema: Schema): { min: number; max: number } {
  const min = toNumberOrDefault(schema.minimum, toNumberOrDefault(schema.exclusiveMinimum, -1_000));
  return {
    min,
    max: Math.max(min, toNumberOrDefault(schema.maximum, toNumberOrDefault(schema.exclusiveMaximum, 1_000))),
  };
}

function mergeSchemas(one: Schema, other: Schema): Schema {
  const properties = { ...(one.properties as object), ...(other.properties as object) };
  const required = [...toUnknownList(one.required), ...toUnknownList(other.required)];
  return { ...one, ...other, ...(Object.keys(properties).length > 0 ? { properties, required } : {}) };
}

function toUnknownList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function toSchemaList(value: unknown): Schema[] {
  return Array.isArray(value) ? value : [];
}
