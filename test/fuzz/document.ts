export type Schema = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** Schemas of the body by content type; empty without a body. */
  bodies: Record<string, Schema>;
  examples: Record<string, unknown>;
  /** Response content types by status, each with the JSON pointer of its schema. */
  responses: Record<string, Record<string, string>>;
}

export interface ApiDocument {
  raw: Schema;
  operations: Operation[];
  resolve(schema: Schema): Schema;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Read the operations of an OpenAPI 3.1 document.
 * @throws Error for an unresolved reference
 */
export function readDocument(raw: Schema): ApiDocument {
  const resolve = (schema: Schema): Schema => {
    const { $ref, ...siblings } = schema;
    return typeof $ref === 'string'
      ? { ...resolve(resolvePointer(raw, $ref.slice(1))), ...siblings }
      : schema;
  };
  const operations = Object.entries(toObject(raw.paths)).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = toObject(item)[method];
      return operation === undefined ? [] : [readOperation(path, method, toObject(operation), resolve)];
    }),
  );
  for (const operation of operations) borrowExamples(operation, operations, resolve);
  return { raw, operations, resolve };
}

/** Use the examples of a path for paths below it with the same fields. */
function borrowExamples(
  operation: Operation,
  operations: readonly Operation[],
  resolve: (schema: Schema) => Schema,
): void {
  const body = operation.bodies['application/json'];
  if (!body || Object.keys(operation.examples).length > 0) return;
  const fields = Object.keys(toObject(resolve(body).properties));
  for (const { path, examples } of operations) {
    const isAbove = operation.path.startsWith(`${path}/`);
    const isMatch = Object.values(examples).every((one) =>
      Object.keys(toObject(one)).every((key) => fields.includes(key)),
    );
    if (isAbove && isMatch) Object.assign(operation.examples, examples);
  }
}

/** Find the operation of a method and path; a path without parameters wins. */
export function findOperation(
  operations: readonly Operation[],
  method: string,
  path: string,
): Operation | undefined {
  const candidates = operations.filter(
    (operation) => operation.method === method && getPathPattern(operation.path).test(path),
  );
  return candidates.toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)[0];
}

export function toObject(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

const patterns = new Map<string, RegExp>();

function getPathPattern(path: string): RegExp {
  const known = patterns.get(path);
  if (known) return known;
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+');
  const pattern = new RegExp(`^${escaped}$`);
  patterns.set(path, pattern);
  return pattern;
}

function readOperation(
  path: string,
  method: string,
  operation: Schema,
  resolve: ApiDocument['resolve'],
): Operation {
  const content = toObject(toObject(operation.requestBody).content);
  const responses = Object.entries(toObject(operation.responses)).map(([status, response]) => {
    const { $ref } = toObject(response);
    const pointer =
      typeof $ref === 'string' ? $ref : formatPointer('paths', path, method, 'responses', status);
    const types = Object.keys(toObject(resolve(toObject(response)).content)).map((type) => [
      type,
      `${pointer}${formatPointer('content', type, 'schema').slice(1)}`,
    ]);
    return [status, Object.fromEntries(types)];
  });
  return {
    id: String(operation.operationId),
    method: method.toUpperCase(),
    path,
    parameters: toParameters(operation.parameters, resolve),
    bodies: Object.fromEntries(
      Object.entries(content).map(([type, media]) => [type, toObject(toObject(media).schema)]),
    ),
    examples: Object.fromEntries(
      Object.entries(toObject(toObject(content['application/json']).examples)).map(([name, example]) => [
        name,
        toObject(example).value,
      ]),
    ),
    responses: Object.fromEntries(responses),
  };
}

function toParameters(parameters: unknown, resolve: ApiDocument['resolve']): Parameter[] {
  if (!Array.isArray(parameters)) return [];
  return parameters.map((parameter) => {
    const resolved = resolve(parameter);
    return { ...resolved, schema: resolve(toObject(resolved.schema)) } as Parameter;
  });
}

function formatPointer(...parts: string[]): string {
  return `#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
}

function resolvePointer(root: Schema, path: string): Schema {
  const resolved = path
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (value, part) => toObject(value)[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')],
      root,
    );
  if (resolved === undefined) throw new Error(`The document has no ${path}`);
  return toObject(resolved);
}
