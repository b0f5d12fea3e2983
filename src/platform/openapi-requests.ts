import type { MultipartFormRules } from './http/form-rules.ts';
import { asArray, asObject, getOpenApiOperations, type JsonObject } from './openapi-object.ts';

const FORM_CONTENT_TYPE = 'multipart/form-data';

export function correctOpenApiRequestSchemas(
  document: JsonObject,
  forms: ReadonlyMap<string, MultipartFormRules>,
): JsonObject {
  for (const operation of getOpenApiOperations(document)) {
    for (const parameter of asArray(operation.parameters).map(asObject)) {
      if ('default' in asObject(parameter.schema)) parameter.required = false;
    }
    const form = forms.get(String(operation.operationId));
    if (form) operation.requestBody = addFormSchema(asObject(operation.requestBody), form);
  }
  return document;
}

function addFormSchema(body: JsonObject, form: MultipartFormRules): JsonObject {
  const content = asObject(body.content);
  const mediaType = {
    schema: addFileProperties(asObject(asObject(content[FORM_CONTENT_TYPE]).schema), form),
  };
  return {
    ...body,
    content: { ...content, [FORM_CONTENT_TYPE]: mediaType },
    ...(form.streamed ? { required: true } : {}),
  };
}

function addFileProperties(schema: JsonObject, { files, streamed }: MultipartFormRules): JsonObject {
  const fields = [...Object.entries(files), ...(streamed ? [[streamed.name, streamed] as const] : [])].map(
    ([name, { maxBytes }]) => {
      const description = `A file of at most ${maxBytes.toLocaleString('en')} bytes.`;
      return [name, { type: 'string', format: 'binary', description }];
    },
  );
  const properties = { ...asObject(schema.properties), ...Object.fromEntries(fields) };
  // Routes with a streamed file require it.
  return { type: 'object', ...schema, properties, ...(streamed ? { required: [streamed.name] } : {}) };
}
