interface Operation {
  summary?: string;
  tags?: readonly string[];
  security?: readonly Record<string, unknown>[];
  parameters?: readonly Parameter[];
  requestBody?: { content?: Readonly<Record<string, MediaType>> };
}

interface Parameter {
  $ref?: string;
  in?: string;
  name?: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

interface MediaType {
  schema?: Schema;
  example?: unknown;
  examples?: Readonly<Record<string, { value?: unknown }>>;
}

interface Schema {
  $ref?: string;
  format?: string;
  properties?: Readonly<Record<string, Schema>>;
}

export interface CollectionSource {
  info?: { title?: string };
  tags?: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** WebSockets are not in this format. */
const LEFT_OUT = '/api/realtime';

/** Format a Postman collection (v2.1) of every operation: a folder for each tag, an example for each body. */
export function formatPostmanCollection({ info, tags = [], paths, components }: CollectionSource): string {
  const resolve = <Value extends { $ref?: string }>(value: Value): Value => {
    const [, section = '', name = ''] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(value.$ref ?? '') ?? [];
    return name === '' ? value : ((components[section]?.[name] ?? {}) as Value);
  };

  const operations = Object.entries(paths).flatMap(([path, item]) =>
    path === LEFT_OUT
      ? []
      : Object.entries(item).map(([method, operation]) => ({
          tag: operation.tags?.[0],
          item: createItem(path, method, operation),
        })),
  );

  function createItem(path: string, method: string, operation: Operation) {
    const { summary = path, parameters = [], requestBody, security } = operation;
    const resolved = parameters.map(resolve);
    const segments = path
      .slice(1)
      .split('/')
      .map((segment) => segment.replace(/^\{(.+)\}$/, ':$1'));
    const query = resolved
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, description, required = false }) => ({
        key: name,
        value: '',
        ...(description === undefined ? {} : { description }),
        disabled: !required,
      }));
    const variable = resolved
      .filter((parameter) => parameter.in === 'path')
      .map(({ name, description }) => ({
        key: name,
        value: '',
        ...(description === undefined ? {} : { description }),
      }));
    return {
      name: summary,
      request: {
        method: method.toUpperCase(),
        ...(security?.length === 0 ? { auth: { type: 'noauth' } } : {}),
        header: requestBody?.content?.['application/json']
          ? [{ key: 'Content-Type', value: 'application/json' }]
          : [],
        ...createBody(requestBody?.content),
        url: {
          raw: `{{baseUrl}}/${segments.join('/')}`,
          host: ['{{baseUrl}}'],
          path: segments,
          ...(query.length > 0 ? { query } : {}),
          ...(variable.length > 0 ? { variable } : {}),
        },
      },
    };
  }

  function createBody(content: Readonly<Record<string, MediaType>> = {}) {
    const json = content['application/json'];
    if (json) {
      const example = json.example ?? Object.values(json.examples ?? {})[0]?.value ?? {};
      return {
        body: {
          mode: 'raw',
          raw: JSON.stringify(example, null, 2),
          options: { raw: { language: 'json' } },
        },
      };
    }
    const form = content['multipart/form-data']?.schema;
    if (!form) return {};
    const fields = Object.entries(resolve(form).properties ?? {}).map(([key, field]) =>
      field.format === 'binary'
        ? { key, type: 'file', src: [] }
        : { key, type: 'text', value: '', disabled: true },
    );
    return { body: { mode: 'formdata', formdata: fields } };
  }

  const collection = {
    info: {
      name: info?.title ?? 'API',
      description: 'Set `baseUrl`, and `token` to an access token or an API key.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://localhost:3000' },
      { key: 'token', value: '' },
    ],
    item: tags.map(({ name, description = '' }) => ({
      name,
      description,
      item: operations.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
  };
  return `${JSON.stringify(collection, null, 1)}\n`;
}
