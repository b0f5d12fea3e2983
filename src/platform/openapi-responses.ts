import { OPENAPI_EXAMPLES } from './openapi-examples.ts';
import { asObject, getOpenApiOperations, type JsonObject } from './openapi-object.ts';

/** What @fastify/swagger writes where a route has no description. */
const MISSING_DESCRIPTION = 'Default Response';

const SUCCESS_DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted; the work goes on.',
};

export function describeOpenApiResponses(document: JsonObject): JsonObject {
  for (const { responses } of getOpenApiOperations(document)) {
    for (const [status, response] of Object.entries(asObject(responses))) {
      if (asObject(response).description === MISSING_DESCRIPTION)
        asObject(response).description = SUCCESS_DESCRIPTIONS[status];
    }
  }
  return document;
}

/** Add examples to the schemas of responses; those of lists consist of the examples of their parts. */
export function addOpenApiExamples(document: JsonObject): JsonObject {
  const components = asObject(document.components);
  for (const [name, schema] of Object.entries(asObject(components.schemas))) addExample(schema, name);
  for (const { operationId, responses } of getOpenApiOperations(document)) {
    for (const response of Object.values(asObject(responses))) {
      const media = asObject(asObject(asObject(response).content)['application/json']);
      if (media.schema) addExample(media.schema, String(operationId));
    }
  }
  return document;
}

function addExample(schema: unknown, name: string): void {
  const text = OPENAPI_EXAMPLES[name];
  if (text !== undefined) asObject(schema).examples = [JSON.parse(text)];
}
