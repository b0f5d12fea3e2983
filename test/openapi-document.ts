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
  return { ...document, paths: resolve(document.paths) };
}

/** Resolve the reference of a schema; what stands beside it wins. */
export function resolveSchema(document: Json, schema: Json): Json {
  const name = /^#\/components\/schemas\/([^/]+)$/.exec(schema?.$ref ?? '')?.[1];
  if (name === undefined) return schema;
  const { $ref: _ref, ...siblings } = schema;
  return { ...resolveSchema(document, document.components.schemas[name]), ...siblings };
}
