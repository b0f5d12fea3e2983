import type { TestApp } from './helper.ts';

// Tests read documents of every shape.
// biome-ignore lint/suspicious/noExplicitAny: parts of any document
type Json = any;

/** Get the OpenAPI document with references outside of schemas, and those of parameters, replaced by what they refer to. */
export async function getOpenApiDocument(call: TestApp['call']): Promise<Json> {
  const document = (await call('GET', '/api/docs/json')).body;
  const resolve = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const [, section = '', name = ''] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(value.$ref ?? '') ?? [];
    if (section !== '' && section !== 'schemas') return resolve(document.components[section][name]);
    const resolved = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part)]));
    if ('in' in resolved) resolved.schema = resolveSchema(document, resolved.schema);
    return resolved;
  };
  const paths: Json = resolve(document.paths);
  for (const item of Object.values<Json>(paths))
    for (const operation of Object.values<Json>(item)) operation.security ??= document.security;
  return { ...document, paths };
}

/** Resolve the reference of a schema, and the fields of those that it extends; what stands beside them wins. */
export function resolveSchema(document: Json, schema: Json): Json {
  const name = /^#\/components\/schemas\/([^/]+)$/.exec(schema?.$ref ?? '')?.[1];
  if (name === undefined) return schema?.allOf ? extendParts(document, schema) : schema;
  const { $ref: _ref, ...siblings } = schema;
  return { ...resolveSchema(document, document.components.schemas[name]), ...siblings };
}

function extendParts(document: Json, { allOf, required: own = [], ...schema }: Json): Json {
  const parts: Json[] = allOf.map((part: Json) => resolveSchema(document, part));
  return {
    type: 'object',
    ...schema,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: [...own, ...parts.flatMap(({ required = [] }) => required)],
  };
}

/** Compose the example of a schema from its parts; undefined where a part has none. */
export function composeExample(document: Json, schema: Json): Json {
  const { examples, properties, items, type } = resolveSchema(document, schema);
  if (examples) return examples[0];
  if (type === 'array') {
    const item = composeExample(document, items);
    return item === undefined ? undefined : [item];
  }
  if (type !== 'object' || !properties) return undefined;
  const members = Object.entries(properties).map(([key, part]) => [key, composeExample(document, part)]);
  return members.some(([, member]) => member === undefined) ? undefined : Object.fromEntries(members);
}
