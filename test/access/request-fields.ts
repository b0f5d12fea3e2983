import { encodeMultipartForm } from '../features/documents/upload.ts';

export interface Schema {
  $ref?: string;
  type?: unknown;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

export interface SentFields {
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

/** The members of a schema of the OpenAPI document. */
export function readFields(document: unknown, schema: Schema): Record<string, Schema> {
  const { properties = {}, allOf = [], oneOf = [], $ref } = schema;
  // A body by kind of code: that of the kind that the access matrix sends.
  const ofText = oneOf.filter((option) =>
    JSON.stringify(readFields(document, option).kind)?.includes('"TEXT"'),
  );
  const referenced = $ref === undefined ? {} : readFields(document, resolve(document, $ref));
  return Object.assign(
    {},
    referenced,
    ...[...allOf, ...ofText].map((part) => readFields(document, part)),
    properties,
  );
}

/** Encode fields in the form that an operation accepts first. */
export function encodeFields(
  type: string,
  { query, body }: SentFields,
): { query: string; body: unknown; headers: Record<string, string> } {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const encodedQuery = text.size > 0 ? `?${text}` : '';
  if (type !== 'multipart/form-data') return { query: encodedQuery, body, headers: {} };
  const parts = Object.entries(body).map(([name, value]) => ({
    name,
    value: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  }));
  return {
    query: encodedQuery,
    body: encodeMultipartForm(parts),
    headers: { 'content-type': 'multipart/form-data; boundary=XX' },
  };
}

function resolve(document: unknown, reference: string): Schema {
  const steps = reference.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => Reflect.get(Object(value), step), document) as Schema;
}
