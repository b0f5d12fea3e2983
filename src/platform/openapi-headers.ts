import { isVersionedSchema } from '../shared/common.schemas.ts';
import { asArray, asObject, getOpenApiOperations, type JsonObject } from './openapi-object.ts';

const HEADERS = {
  ETag: {
    description: 'The version in quotes, for If-Match.',
    schema: { type: 'string', pattern: '^"[0-9]+"$' },
  },
  ContentETag: { description: 'Changes with the content, for If-None-Match.', schema: { type: 'string' } },
  Location: {
    description: 'URL of the created resource, of the resource that contains it, or of a redirect.',
    schema: { type: 'string' },
  },
  'Content-Disposition': {
    description: 'Whether to show or to save the content, and its file name.',
    schema: { type: 'string' },
  },
  'Content-Range': {
    description: 'Position of these bytes in the file.',
    schema: { type: 'string' },
  },
  'Accept-Ranges': { description: 'A request can ask for a range.', schema: { const: 'bytes' } },
  'Last-Modified': { description: 'When the file was stored.', schema: { type: 'string' } },
  'Retry-After': {
    description: 'Seconds after which the request may be repeated; with 429 and 503.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description:
      '`Bearer` with a realm (RFC 6750); `error="invalid_token"` if the token that was sent is invalid, expired or revoked. With 401.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Name of the limit, requests that are left (r), seconds until the next window (t).',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'Name of the limit, requests in a window (q), its seconds (w).',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'As q.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'As r.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'As t.', schema: { type: 'integer' } },
};

/** Name of the file that a response has; for the `headers` of its schema. */
export const CONTENT_DISPOSITION_HEADER = { 'Content-Disposition': { type: 'string' } };

/** Of a 202; for the `headers` of its schema. */
export const LOCATION_HEADER = { Location: { type: 'string' } };

const IF_MATCH_PARAMETER = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'ETag of the version that you read. 412 if the record was changed since.',
  schema: { type: 'string' },
};

const ACCOUNT_ID_PARAMETER = {
  name: 'Account-Id',
  in: 'header',
  required: false,
  description:
    'The account that the request acts for, of `accounts` of GET /api/auth/me; by default the personal one, and with an API key its own. 404 ACCOUNT_NOT_FOUND for any other.',
  schema: { $ref: '#/components/schemas/Id' },
};

const RATE_LIMIT_HEADERS = {
  RateLimit: refer('RateLimit'),
  'RateLimit-Policy': refer('RateLimit-Policy'),
  'X-RateLimit-Limit': refer('X-RateLimit-Limit'),
  'X-RateLimit-Remaining': refer('X-RateLimit-Remaining'),
  'X-RateLimit-Reset': refer('X-RateLimit-Reset'),
};

const FILE_HEADERS = {
  'Accept-Ranges': refer('Accept-Ranges'),
  'Last-Modified': refer('Last-Modified'),
};

/** Declare headers where they are sent, If-Match where 412 is declared, and Account-Id for operations on records of an account. */
export function declareOpenApiHeaders(
  document: JsonObject,
  accountOperations: ReadonlySet<string>,
): JsonObject {
  const components = asObject(document.components);
  const schemas = asObject(components.schemas);
  components.headers = HEADERS;
  for (const operation of getOpenApiOperations(document)) {
    const responses = asObject(operation.responses);
    const isRevalidated = Object.hasOwn(responses, '304');
    const hasRanges = Object.hasOwn(responses, '206');
    for (const [status, response] of Object.entries(responses)) {
      const isVersioned =
        (status === '200' || status === '201') && isVersionedSchema(schemas[getSchemaName(response)]);
      const headers = {
        ...Object.fromEntries(
          Object.keys(asObject(asObject(response).headers)).map((name) => [name, refer(name)]),
        ),
        ...(isVersioned && { ETag: refer('ETag') }),
        ...(!isVersioned &&
          isRevalidated &&
          (status === '200' || status === '206') && { ETag: refer('ContentETag') }),
        ...(status === '304' && { ETag: refer('ContentETag') }),
        ...((status === '201' || status === '302') && { Location: refer('Location') }),
        ...(hasRanges && /^20[06]$/.test(status) && FILE_HEADERS),
        ...(status === '206' && { 'Content-Range': refer('Content-Range') }),
        ...((status === '429' || status === '503') && { 'Retry-After': refer('Retry-After') }),
        ...(status === '401' && { 'WWW-Authenticate': refer('WWW-Authenticate') }),
        ...(status === '429' && RATE_LIMIT_HEADERS),
      };
      if (Object.keys(headers).length > 0) responses[status] = { ...asObject(response), headers };
    }
    if (Object.hasOwn(responses, '412'))
      operation.parameters = [...asArray(operation.parameters), IF_MATCH_PARAMETER];
    if (accountOperations.has(String(operation.operationId)))
      operation.parameters = [...asArray(operation.parameters), ACCOUNT_ID_PARAMETER];
  }
  return document;
}

function refer(header: string) {
  return { $ref: `#/components/headers/${header}` };
}

function getSchemaName(response: unknown): string {
  const { schema } = asObject(asObject(asObject(response).content)['application/json']);
  const reference = asObject(schema).$ref;
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : '';
}
