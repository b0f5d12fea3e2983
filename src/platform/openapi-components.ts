import { asArray, asObject, getOpenApiOperations, type JsonObject } from './openapi-object.ts';
import { extendBaseSchemas, simplifySchemas } from './openapi-schemas.ts';

type NamedSchemas = Readonly<Record<string, object>>;

const DEFAULT_SECURITY = [{ bearer: [] }];

/**
 * Move what repeats into the components: bodies of requests, `namedSchemas`, responses and parameters. What the
 * document allows stays the same.
 */
export function shareOpenApiComponents(original: JsonObject, namedSchemas: NamedSchemas): JsonObject {
  // Routes validate by the same objects.
  const document: JsonObject = JSON.parse(JSON.stringify(original));
  const components = asObject(document.components);
  for (const section of ['schemas', 'responses', 'parameters'])
    components[section] = asObject(components[section]);
  document.security = DEFAULT_SECURITY;
  for (const operation of getOpenApiOperations(document)) omitDefaultSecurity(operation);
  simplifySchemas(document);
  nameRequestBodies(getOpenApiOperations(document), asObject(components.schemas));
  shareSchemas(document, namedSchemas);
  const operations = getOpenApiOperations(document);
  shareResponses(operations, asObject(components.responses));
  shareParameters(operations, asObject(components.parameters));
  return document;
}

function omitDefaultSecurity(operation: JsonObject): void {
  if (JSON.stringify(operation.security) === JSON.stringify(DEFAULT_SECURITY)) delete operation.security;
}

/** Name bodies after their first operation: `qrcodes.update` has QrcodesUpdateRequest, with files QrcodesUpdateForm. */
function nameRequestBodies(operations: readonly JsonObject[], schemas: JsonObject): void {
  const names = new Map<string, string>();
  for (const { operationId, requestBody } of operations) {
    for (const [type, media] of Object.entries(asObject(asObject(requestBody).content))) {
      const { schema } = asObject(media);
      if (asObject(schema).properties === undefined) continue;
      const key = JSON.stringify(schema);
      const name =
        names.get(key) ??
        `${toPascalCase(String(operationId))}${type === 'multipart/form-data' ? 'Form' : 'Request'}`;
      names.set(key, name);
      schemas[name] = schema;
      asObject(media).schema = { $ref: `#/components/schemas/${name}` };
    }
  }
}

function shareSchemas(document: JsonObject, namedSchemas: NamedSchemas): void {
  const schemas = asObject(asObject(document.components).schemas);
  const named = Object.entries(namedSchemas).map(([name, schema]): readonly [string, JsonObject] => {
    const { $id: _id, ...component } = JSON.parse(JSON.stringify(schema));
    for (const key of ['title', 'description']) if (component[key] === '') delete component[key];
    simplifySchemas(component);
    return [name, component];
  });
  const byContent = new Map(named.map(([name, schema]) => [formatSchemaContent(schema), { name, schema }]));
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    const { title, description, ...rest } = asObject(value);
    const component = 'type' in rest ? byContent.get(formatSchemaContent(rest)) : undefined;
    if (!component) return replaceParts(asObject(value));
    return {
      $ref: `#/components/schemas/${component.name}`,
      ...(title !== undefined && title !== component.schema.title && { title }),
      ...(description !== undefined && description !== component.schema.description && { description }),
    };
  };
  const replaceParts = (schema: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, replace(part)]));
  document.paths = replace(document.paths);
  for (const [name, schema] of [...Object.entries(schemas), ...named])
    schemas[name] = replaceParts(asObject(schema));
  extendBaseSchemas(schemas);
}

/** The schema as text, without what it says about itself. */
function formatSchemaContent({ title: _title, description: _description, ...schema }: JsonObject): string {
  return JSON.stringify(schema, (_key, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

function shareResponses(operations: readonly JsonObject[], shared: JsonObject): void {
  const all = operations.flatMap(({ operationId, responses }) =>
    Object.entries(asObject(responses)).map(([status, response]) => ({
      key: JSON.stringify(response),
      part: asObject(response),
      name: getResponseName(status, asObject(response), String(operationId)),
    })),
  );
  const names = nameRepeated(all, shared);
  for (const responses of operations.map((operation) => asObject(operation.responses))) {
    for (const [status, response] of Object.entries(responses)) {
      const name = names.get(JSON.stringify(response));
      if (name !== undefined) responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
}

/** Undefined where it would be that of an operation: generators of clients make such names themselves. */
function getResponseName(status: string, { content }: JsonObject, operationId: string): string | undefined {
  if (status === 'default') return 'Error';
  if (/^[3-5]/.test(status)) return `Error${status}`.replace(/^Error3/, 'Status3');
  const { $ref } = asObject(asObject(asObject(content)['application/json']).schema);
  const name = typeof $ref === 'string' ? $ref.replace(/^.*\//, '') : CONTENT_NAMES[operationId];
  return name && `${PREFIXES[status] ?? ''}${name}`;
}

const PREFIXES: Readonly<Record<string, string>> = { 201: 'Created', 202: 'Accepted', 206: 'Partial' };

/** Names of responses that have a file, by their first operation. */
const CONTENT_NAMES: Readonly<Record<string, string>> = {
  'documents.getTicketContent': 'DocumentContent',
  'personalData.getExportArchive': 'ExportArchive',
  'qrcodes.getPicture': 'PictureContent',
};

function shareParameters(operations: readonly JsonObject[], shared: JsonObject): void {
  const all = operations.flatMap(({ operationId, parameters }) =>
    asArray(parameters).map((parameter) => ({
      key: JSON.stringify(parameter),
      part: asObject(parameter),
      name: toPascalCase(String(asObject(parameter).name)),
      alternative: toPascalCase(`${operationId} ${asObject(parameter).name}`),
    })),
  );
  const names = nameRepeated(all, shared);
  for (const operation of operations) {
    if (!Array.isArray(operation.parameters)) continue;
    operation.parameters = operation.parameters.map((parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
  }
}

interface NamedPart {
  key: string;
  part: JsonObject;
  /** Undefined if the part is not to be shared. */
  name: string | undefined;
  /** Where the name is taken; otherwise the part is not shared. */
  alternative?: string;
}

/** Add repeated parts to the components, the most frequent of a name under it. @returns their names by key */
function nameRepeated(parts: readonly NamedPart[], shared: JsonObject): Map<string, string> {
  const counts = new Map<string, number>();
  for (const { key } of parts) counts.set(key, (counts.get(key) ?? 0) + 1);
  const getCount = ({ key }: NamedPart) => counts.get(key) ?? 0;
  const names = new Map<string, string>();
  for (const one of parts
    .filter((part) => getCount(part) > 1)
    .toSorted((a, b) => getCount(b) - getCount(a))) {
    const name = one.name !== undefined && one.name in shared ? one.alternative : one.name;
    if (names.has(one.key) || name === undefined || name in shared) continue;
    names.set(one.key, name);
    shared[name] = one.part;
  }
  return names;
}

function toPascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
