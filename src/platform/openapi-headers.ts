import { isVersionedSchema } from '../shared/common.schemas.ts';

type JsonObject = Record<string, unknown>;

const LOCATION_HEADER = {
  description: 'URL of the created resource, or of the resource that contains it.',
  schema: { type: 'string' },
};
const ETAG_HEADER = {
  description: 'The version in quotes, for If-Match.',
  schema: { type: 'string', pattern: '^"[0-9]+"$' },
};
const IF_MATCH_PARAMETER = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'ETag of the version that you read. 412 if the record was changed since.',
  schema: { type: 'string' },
};

/** Declare Location of 201, ETag of records with a version, and If-Match where 412 is declared. */
export function declareOpenApiHeaders(document: JsonObject): JsonObject {
  const schemas = asObject(asObject(document.components).schemas);
  for (const path of Object.values(asObject(document.paths))) {
    for (const operation of Object.values(asObject(path)).map(asObject)) {
      const responses = asObject(operation.responses);
      for (const status of ['200', '201']) {
        const response = asObject(responses[status]);
        if (!Object.hasOwn(responses, status)) continue;
        const schema = schemas[getSchemaName(response)];
        const headers = {
          ...asObject(response.headers),
          ...(isVersionedSchema(schema) ? { ETag: ETAG_HEADER } : {}),
          ...(status === '201' ? { Location: LOCATION_HEADER } : {}),
        };
        if (Object.keys(headers).length > 0) response.headers = headers;
      }
      if (Object.hasOwn(responses, '412'))
        operation.parameters = [...asArray(operation.parameters), IF_MATCH_PARAMETER];
    }
  }
  return document;
}

function getSchemaName(response: JsonObject): string {
  const { schema } = asObject(asObject(response.content)['application/json']);
  const reference = asObject(schema).$ref;
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : '';
}

function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
