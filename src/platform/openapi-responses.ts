import { IgnoredNames } from '../shared/common.schemas.ts';
import { OPENAPI_EXAMPLES } from './openapi-examples.ts';
import { asObject, getOpenApiOperations, type JsonObject } from './openapi-object.ts';
import { OPENAPI_REQUEST_EXAMPLES } from './openapi-request-examples.ts';

/** What @fastify/swagger writes where a route has no description. */
const MISSING_DESCRIPTION = 'Default Response';

const SUCCESS_DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted; processed in the background.',
};

/** Any request can get them, or any that needs an access token. */
const COMMON_ERROR_STATUSES = ['400', '401', '403', '408', '413', '415', '417', '429', '431', '500', '503'];

const COMMON_ERRORS_DESCRIPTION =
  'Any other error: 400 for an invalid request, 401 and 403 where an access token is needed, 429 above a limit, 503 while busy; rarely 408, 413, 415, 417, 431 or 500. 429 and 503 have Retry-After.';

const AUTHENTICATE_HEADER = { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } };

export function describeOpenApiResponses(document: JsonObject): JsonObject {
  for (const { responses } of getOpenApiOperations(document)) {
    for (const [status, response] of Object.entries(asObject(responses))) {
      if (asObject(response).description === MISSING_DESCRIPTION)
        asObject(response).description = SUCCESS_DESCRIPTIONS[status];
    }
  }
  return document;
}

/** Let the successful responses of operations have `warnings` of ignored names. Routes share the schemas: they are copied. */
export function declareWarnings(document: JsonObject, operationIds: ReadonlySet<string>): JsonObject {
  const components = asObject(document.components);
  const schemas = { ...asObject(components.schemas) };
  const declaredNames = new Set<string>();
  const declare = (value: unknown): JsonObject => {
    const schema = asObject(value);
    const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref)) ?? [];
    if (name !== undefined && !declaredNames.has(name)) {
      declaredNames.add(name);
      schemas[name] = declare(schemas[name]);
    }
    const { properties, anyOf, oneOf } = schema;
    return {
      ...schema,
      ...(Array.isArray(anyOf) && { anyOf: anyOf.map(declare) }),
      ...(Array.isArray(oneOf) && { oneOf: oneOf.map(declare) }),
      ...(properties !== undefined && { properties: { warnings: IgnoredNames, ...asObject(properties) } }),
    };
  };
  for (const operation of getOpenApiOperations(document)) {
    if (!operationIds.has(String(operation.operationId))) continue;
    operation.responses = mapEntries(asObject(operation.responses), (status, response) => {
      const content = asObject(response.content);
      const json = asObject(content['application/json']);
      if (!status.startsWith('2') || json.schema === undefined) return response;
      return {
        ...response,
        content: { ...content, 'application/json': { ...json, schema: declare(json.schema) } },
      };
    });
  }
  return { ...document, components: { ...components, schemas } };
}

function mapEntries(object: JsonObject, convert: (key: string, value: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, convert(key, asObject(value))]),
  );
}

/** Let `default` stand for the errors that every operation has, unless its route declares them itself. */
export function combineCommonErrors(
  document: JsonObject,
  declaredStatuses: ReadonlyMap<string, readonly string[]>,
): JsonObject {
  for (const { operationId, responses: ofOperation } of getOpenApiOperations(document)) {
    const responses = asObject(ofOperation);
    const { 429: common } = responses;
    if (common === undefined) continue;
    const declared = declaredStatuses.get(String(operationId));
    for (const status of COMMON_ERROR_STATUSES) if (!declared?.includes(status)) delete responses[status];
    responses.default = {
      ...asObject(common),
      description: COMMON_ERRORS_DESCRIPTION,
      headers: { ...asObject(asObject(common).headers), ...AUTHENTICATE_HEADER },
    };
  }
  return document;
}

/** Add examples to JSON bodies of requests and to the schemas of responses; those of lists consist of the examples of their parts. */
export function addOpenApiExamples(document: JsonObject): JsonObject {
  const components = asObject(document.components);
  for (const [name, schema] of Object.entries(asObject(components.schemas))) addExample(schema, name);
  for (const { operationId, requestBody, responses } of getOpenApiOperations(document)) {
    const example = OPENAPI_REQUEST_EXAMPLES[String(operationId)];
    if (example) asObject(asObject(asObject(requestBody).content)['application/json']).example = example;
    for (const [status, response] of Object.entries(asObject(responses))) {
      if (status.startsWith('2'))
        asObject(responses)[status] = addOwnExample(response, String(operationId), components);
      const media = asObject(asObject(asObject(response).content)['application/json']);
      if (media.schema) addExample(media.schema, String(operationId));
    }
  }
  return document;
}

/** A response that others share gets a copy if the operation has an example of its own. */
function addOwnExample(response: unknown, operationId: string, components: JsonObject): unknown {
  const [, name = ''] = /^#\/components\/responses\/(\w+)$/.exec(String(asObject(response).$ref)) ?? [];
  const text = OPENAPI_EXAMPLES[operationId];
  if (name === '' || text === undefined) return response;
  const shared = asObject(asObject(components.responses)[name]);
  const json = asObject(asObject(shared.content)['application/json']);
  return {
    ...shared,
    content: { 'application/json': { schema: { ...asObject(json.schema), examples: [JSON.parse(text)] } } },
  };
}

function addExample(schema: unknown, name: string): void {
  const text = OPENAPI_EXAMPLES[name];
  if (text !== undefined) asObject(schema).examples = [JSON.parse(text)];
}
