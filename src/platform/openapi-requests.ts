import type { MultipartFormRules } from './http/form-rules.ts';
import { MERGE_PATCH_CONTENT_TYPE } from './http/json-body.ts';
import { asArray, asObject, getOpenApiOperations, type JsonObject } from './openapi-object.ts';

const FORM_CONTENT_TYPE = 'multipart/form-data';

export function correctOpenApiRequestSchemas(
  document: JsonObject,
  forms: ReadonlyMap<string, MultipartFormRules>,
  operationsWithBodyRules: ReadonlySet<string>,
): JsonObject {
  for (const operation of getOpenApiOperations(document)) {
    const parameters = asArray(operation.parameters).map(asObject);
    for (const parameter of parameters) {
      if ('default' in asObject(parameter.schema)) parameter.required = false;
      if (parameter.in === 'header') parameter.name = formatHeaderName(String(parameter.name));
    }
    if (parameters.length > 0)
      operation.parameters = parameters.toSorted((one, other) => getPlaceRank(one) - getPlaceRank(other));
    const form = forms.get(String(operation.operationId));
    if (form) operation.requestBody = addFormSchema(asObject(operation.requestBody), form);
  }
  for (const item of Object.values(asObject(document.paths)).map(asObject)) {
    addMergePatch(asObject(asObject(item.patch).requestBody));
    for (const operation of [item.post, item.delete].map(asObject))
      if (!operationsWithBodyRules.has(String(operation.operationId)))
        declareOptionalBody(asObject(operation.requestBody));
  }
  return document;
}

/** Fastify's schemas need lower case. */
function formatHeaderName(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function getPlaceRank(parameter: JsonObject): number {
  return ['path', 'query', 'header'].indexOf(String(parameter.in));
}

/** An empty body counts as an empty object. Without fields a PUT or PATCH would change nothing. */
function declareOptionalBody(body: JsonObject): void {
  const schema = asObject(asObject(asObject(body.content)['application/json']).schema);
  if (schema.properties !== undefined && asArray(schema.required).length === 0) body.required = false;
}

/** Every PATCH accepts its JSON as a merge patch, too. */
function addMergePatch(body: JsonObject): void {
  const { 'application/json': json } = asObject(body.content);
  if (json) asObject(body.content)[MERGE_PATCH_CONTENT_TYPE] = json;
}

/** A body of JSON has no files. */
export function requiresFile({ files, streamed }: MultipartFormRules): boolean {
  return streamed !== undefined || Object.values(files).some(({ isRequired }) => isRequired);
}

function addFormSchema(body: JsonObject, form: MultipartFormRules): JsonObject {
  const content = asObject(body.content);
  const encoding = form.json?.map((name) => [name, { contentType: 'application/json' }]);
  const mediaType = {
    schema: addFileProperties(asObject(asObject(content[FORM_CONTENT_TYPE]).schema), form),
    ...(encoding && { encoding: Object.fromEntries(encoding) }),
  };
  return {
    ...body,
    content: { ...content, [FORM_CONTENT_TYPE]: mediaType },
    ...(requiresFile(form) ? { required: true } : {}),
  };
}

function addFileProperties(schema: JsonObject, { files, streamed }: MultipartFormRules): JsonObject {
  const rules = { ...files, ...(streamed && { [streamed.name]: { ...streamed, isRequired: true } }) };
  const fields = Object.entries(rules).map(([name, { maxBytes }]) => {
    const description = `A file of at most ${maxBytes.toLocaleString('en')} bytes.`;
    return [name, { type: 'string', format: 'binary', description }];
  });
  const requiredFiles = Object.entries(rules).flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
  const required = [...asArray(schema.required), ...requiredFiles];
  const texts = Object.entries(asObject(schema.properties)).map(([name, field]) => [name, omitNull(field)]);
  const properties = Object.fromEntries([...texts, ...fields]);
  return { type: 'object', ...schema, properties, ...(required.length > 0 && { required }) };
}

/** A form has no null: the text of a field would be "null". */
function omitNull(field: unknown): JsonObject {
  const { type, enum: values, ...rest } = asObject(field);
  const [first, ...others] = [type].flat().filter((one) => one !== 'null');
  return {
    ...rest,
    ...(first !== undefined && { type: others.length > 0 ? [first, ...others] : first }),
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
  };
}
