import { TEXT_FORMATS_BY_PATTERN } from '../shared/common.schemas.ts';
import { asArray, asObject, type JsonObject } from './openapi-object.ts';

/** An object with fewer equal fields is listed. */
const MIN_MAP_ENTRIES = 8;

/** A base schema must save more than the names of fields that many schemas have. */
const MIN_SHARED_BYTES = 350;

/** Shorten schemas in place without a change of what they allow. */
export function simplifySchemas(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = asObject(value);
  replaceTextPattern(schema);
  omitFieldTitles(schema);
  describeMap(schema);
  for (const part of Object.values(schema)) simplifySchemas(part);
}

/** RE2 and the regular expressions of Rust have no lookahead, and the patterns would be most of the document. */
function replaceTextPattern(schema: JsonObject): void {
  const format = typeof schema.pattern === 'string' && TEXT_FORMATS_BY_PATTERN.get(schema.pattern);
  if (!format) return;
  delete schema.pattern;
  schema.format ??= format;
}

/** Titles of fields are labels of forms, which `qrcodes.listKinds` returns. */
function omitFieldTitles({ properties, items }: JsonObject): void {
  for (const field of [...Object.values(asObject(properties)), items]) delete asObject(field).title;
}

/** Describe a closed object whose fields all have the same schema as a map, whose names are an enum. */
function describeMap(schema: JsonObject): void {
  const fields = Object.entries(asObject(schema.properties));
  if (schema.additionalProperties !== false || fields.length < MIN_MAP_ENTRIES) return;
  const [[, value] = []] = fields;
  const text = JSON.stringify(value);
  if (fields.some(([, other]) => JSON.stringify(other) !== text)) return;
  delete schema.properties;
  delete schema.required;
  schema.propertyNames = { type: 'string', enum: fields.map(([name]) => name) };
  schema.additionalProperties = value;
}

/** Let a schema that has all fields of another one extend it by `allOf`. */
export function extendBaseSchemas(schemas: JsonObject): void {
  const objects = Object.entries(schemas)
    .map(([name, schema]) => [name, asObject(schema)] as const)
    .filter(([, { properties, additionalProperties }]) => properties && additionalProperties === undefined);
  const bases: (readonly [string, JsonObject])[] = [];
  for (const [name, schema] of objects.toSorted(
    ([, one], [, other]) => countFields(one) - countFields(other),
  )) {
    const base = bases.findLast(([, candidate]) => isExtension(schema, candidate));
    const extension = base ? extendSchema(schema, ...base) : schema;
    schemas[name] = extension;
    const isLarge = JSON.stringify(schema.properties).length > MIN_SHARED_BYTES;
    if (isLarge && !('$ref' in extension)) bases.push([name, schema]);
  }
}

/** Of schemas with the same fields the one without a description of its own is the base. */
function countFields({ properties, required, description }: JsonObject): number {
  const requiredFields = asArray(required).length + (description === undefined ? 0 : 0.5);
  return Object.keys(asObject(properties)).length + requiredFields / 1_000;
}

function isExtension(schema: JsonObject, base: JsonObject): boolean {
  const fields = asObject(schema.properties);
  const required = asArray(schema.required);
  return (
    asArray(base.required).every((name) => required.includes(name)) &&
    Object.entries(asObject(base.properties)).every(
      ([name, field]) => JSON.stringify(fields[name]) === JSON.stringify(field),
    )
  );
}

function extendSchema(
  { type, properties, required, ...annotations }: JsonObject,
  baseName: string,
  base: JsonObject,
): JsonObject {
  const ownFields = Object.entries(asObject(properties)).filter(
    ([name]) => !Object.hasOwn(asObject(base.properties), name),
  );
  const ownRequired = asArray(required).filter((name) => !asArray(base.required).includes(name));
  const reference = { $ref: `#/components/schemas/${baseName}` };
  if (ownRequired.length === 0 && ownFields.length === 0) return { ...reference, ...annotations };
  const requirement = ownRequired.length > 0 && { required: ownRequired };
  // A part that only requires fields is an object without fields for generators of types.
  if (ownFields.length === 0) return { type, allOf: [reference], ...requirement, ...annotations };
  // The API reference takes a schema without a type for invalid.
  const extension = { type, ...requirement, properties: Object.fromEntries(ownFields) };
  return { type, allOf: [reference, extension], ...annotations };
}
