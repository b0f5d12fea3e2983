import fc from 'fast-check';
import type { ApiDocument, Schema } from './document.ts';
import { type Pick, plainName } from './pick.ts';
import { numberOr, textsOf } from './texts.ts';

/** Password of everybody in the world of a run. */
export const PASSWORD = 'a lighthouse for lost dogs';

/** Fields of a form that are files: the encoder puts a picture in their place. */
export const PICTURES = ['picture:jpeg', 'picture:png'];

const ID = '^[0-9a-f]{24}$';

/** Values that a schema allows, found by its own words; `name` is the field's, which may stand for something real. */
export function valuesOf(document: ApiDocument, given: Schema, name: string): fc.Arbitrary<unknown> {
  const schema = document.resolve(given);
  const known = knownByName(schema, name);
  if (known !== undefined) return known;
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  const union = listOf(schema.oneOf).concat(listOf(schema.anyOf));
  if (union.length > 0) {
    const { oneOf: _one, anyOf: _any, ...rest } = schema;
    return fc.oneof(...union.map((part) => valuesOf(document, merged(rest, document.resolve(part)), name)));
  }
  const all = listOf(schema.allOf);
  if (all.length > 0) {
    const { allOf: _all, ...rest } = schema;
    const whole = all.reduce<Schema>((sum, part) => merged(sum, document.resolve(part)), rest);
    return valuesOf(document, whole, name);
  }
  if (Array.isArray(schema.type)) {
    const types: unknown[] = schema.type;
    return fc.oneof(...types.map((type) => valuesOf(document, { ...schema, type }, name)));
  }
  return ofType(document, schema, name);
}

function ofType(document: ApiDocument, schema: Schema, name: string): fc.Arbitrary<unknown> {
  switch (schema.type ?? (schema.properties ? 'object' : undefined)) {
    case 'object':
      return objectsOf(document, schema);
    case 'array':
      return fc.array(valuesOf(document, (schema.items ?? {}) as Schema, name), {
        minLength: numberOr(schema.minItems, 0),
        maxLength: Math.min(numberOr(schema.maxItems, 3), numberOr(schema.minItems, 0) + 3),
      });
    case 'string':
      return formatsOf(schema);
    case 'integer': {
      const { min, max } = boundsOf(schema);
      // Of what is counted there are few.
      return fc.oneof(fc.integer({ min, max }), fc.integer({ min, max: Math.min(max, min + 2) }));
    }
    case 'number': {
      const { min, max } = boundsOf(schema);
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

function objectsOf(document: ApiDocument, schema: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields = properties.map(([name, inner]) => {
    return [name, valuesOf(document, inner, name)] as const;
  });
  // Most of the many optional fields are left out, or requests would seldom be valid as a whole.
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

/** What a name or the shape of an id says beyond the schema. */
function knownByName(schema: Schema, name: string): fc.Arbitrary<unknown> | undefined {
  if (schema.type !== 'string' && !(Array.isArray(schema.type) && schema.type.includes('string')))
    return undefined;
  const plain = plainName(name);
  if (schema.pattern === ID) return picks('id', plain.replace(/id$/, ''));
  if (schema.enum !== undefined) return undefined;
  if (/password$/.test(plain) && name !== 'password_hash')
    return fc.oneof(
      { weight: 4, arbitrary: fc.constant(PASSWORD) },
      { weight: 1, arbitrary: textsOf(schema) },
    );
  if (plain === 'email' && schema.format !== 'email')
    return fc.oneof(
      { weight: 2, arbitrary: picks('email', 'email') },
      { weight: 2, arbitrary: fc.nat({ max: 99_999 }).map((n) => `fuzz-${n}@example.org`) },
    );
  if (plain === 'visit') return fc.oneof(picks('token', 'visittoken'), textsOf(schema));
  if (/token$/.test(plain))
    return fc.oneof(
      { weight: 5, arbitrary: picks('token', plain) },
      { weight: 1, arbitrary: textsOf(schema) },
    );
  return undefined;
}

/** Something of the running service: mostly the caller's own, sometimes anybody's, seldom nothing at all. */
export function picks(what: Pick['$pick'], of: string): fc.Arbitrary<Pick> {
  const whose = fc.constantFrom('own', 'own', 'own', 'own', 'any', 'absent' as const);
  return fc.record({ $pick: fc.constant(what), of: fc.constant(of), whose, nth: fc.nat({ max: 999 }) });
}

function formatsOf(schema: Schema): fc.Arbitrary<string> {
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
      return fc.constantFrom(...PICTURES);
    case 'uri':
      return fc.constantFrom('https://example.org/', 'http://example.com/a?b=c');
    default:
      return textsOf(schema);
  }
}

function boundsOf(schema: Schema): { min: number; max: number } {
  const min = numberOr(schema.minimum, numberOr(schema.exclusiveMinimum, -1_000));
  return { min, max: Math.max(min, numberOr(schema.maximum, numberOr(schema.exclusiveMaximum, 1_000))) };
}

function merged(one: Schema, other: Schema): Schema {
  const properties = { ...(one.properties as object), ...(other.properties as object) };
  const required = [...listed(one.required), ...listed(other.required)];
  return { ...one, ...other, ...(Object.keys(properties).length > 0 ? { properties, required } : {}) };
}

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function listOf(value: unknown): Schema[] {
  return Array.isArray(value) ? value : [];
}
