import { parseQrCodeKind } from './kinds/all-kinds.ts';
import { describeQrCodeKinds, type QrCodeKindDescription } from './kinds/describe-kinds.ts';
import { QR_CODE_MODES } from './qrcodes.schemas.ts';
import { FIELD_VISIBILITIES } from './visibility.rules.ts';

type Json = Record<string, unknown>;

/** Make codes a union discriminated by `kind`, each with its own `data` and an example. */
export function addQrCodeKindsToOpenApi(document: Json): Json {
  const kinds = describeQrCodeKinds();
  const components = getObject(document, 'components');
  const schemas = getObject(components, 'schemas');
  const paths = getObject(document, 'paths');
  const body = getJsonBody(paths, '/api/qrcodes', 'post');
  const render = getJsonBody(paths, '/api/qrcodes/render', 'post');
  render.schema = describeModes(getObject(render, 'schema'));
  const put = getJsonBody(paths, '/api/qrcodes/{id}', 'put');
  schemas.QrCodeChange = describeModes(getObject(put, 'schema'));
  put.schema = { $ref: '#/components/schemas/QrCodeChange' };
  getJsonBody(paths, '/api/qrcodes/{id}', 'patch').schema = put.schema;
  const changes = getBulkItems(paths, 'patch');
  const { id } = getObject(getObject(changes, 'items'), 'properties');
  changes.items = { allOf: [{ type: 'object', properties: { id } }, put.schema] };
  const newQrCode = getObject(body, 'schema');
  const qrCode = getObject(schemas, 'QrCode');
  schemas.NewQrCodeBase = describeModes(omitKindProperties(newQrCode));
  schemas.QrCodeBase = omitKindProperties(qrCode);
  for (const kind of kinds) {
    const name = pascalCase(kind.kind);
    schemas[`${name}Data`] = { ...kind.schema, description: kind.description };
    schemas[`New${name}QrCode`] = createKindSchema('NewQrCodeBase', kind, {
      visibility: createVisibilitySchema(kind),
    });
    schemas[`${name}QrCode`] = createKindSchema('QrCodeBase', kind, {});
  }
  schemas.NewQrCode = createKindUnion(kinds, (name) => `New${name}QrCode`);
  schemas.QrCode = createKindUnion(kinds, (name) => `${name}QrCode`);
  body.schema = { $ref: '#/components/schemas/NewQrCode' };
  getJsonBody(paths, '/api/qrcodes/by-external-id/{externalId}', 'put').schema = body.schema;
  getBulkItems(paths, 'post').items = body.schema;
  body.examples = Object.fromEntries(
    kinds.map((kind) => [kind.kind, { summary: kind.label, value: createExampleBody(kind) }]),
  );
  return document;
}

function getBulkItems(paths: Json, method: string): Json {
  const schema = getObject(getJsonBody(paths, '/api/qrcodes/bulk', method), 'schema');
  return getObject(getObject(schema, 'properties'), 'items');
}

function getJsonBody(paths: Json, path: string, method: string): Json {
  const operation = getObject(getObject(paths, path), method);
  return getObject(getObject(getObject(operation, 'requestBody'), 'content'), 'application/json');
}

/** Modes are accepted in any case; the pattern that says so is hard to read, and not a choice in forms. */
function describeModes(schema: Json): Json {
  const properties = getObject(schema, 'properties');
  const { description } = getObject(properties, 'mode');
  return {
    ...schema,
    properties: { ...properties, mode: { type: 'string', enum: [...QR_CODE_MODES], description } },
  };
}

function createExampleBody({ kind, label, example }: QrCodeKindDescription): Json {
  const isEmergencyCard = parseQrCodeKind(kind)?.emergencyFields !== undefined;
  return { kind, title: label, data: example, ...(isEmergencyCard && { visibilityPreset: 'EMERGENCY' }) };
}

/** Without the properties that `createKindSchema` defines; clients generated from it would have them twice. */
function omitKindProperties(schema: Json): Json {
  const { kind: _kind, data: _data, ...properties } = getObject(schema, 'properties');
  return { ...schema, properties };
}

function createKindSchema(base: string, kind: QrCodeKindDescription, extraProperties: Json): Json {
  const properties = {
    kind: { type: 'string', enum: [kind.kind] },
    data: { $ref: `#/components/schemas/${pascalCase(kind.kind)}Data` },
    ...extraProperties,
  };
  return {
    title: kind.label,
    type: 'object',
    allOf: [
      { $ref: `#/components/schemas/${base}` },
      { type: 'object', required: ['kind', 'data'], properties },
    ],
  };
}

function createVisibilitySchema(kind: QrCodeKindDescription): Json {
  const entries = Object.entries(kind.defaultVisibility);
  const defaults = [...new Set(entries.map(([, value]) => value))].map((value) => {
    const fields = entries.filter(([, other]) => other === value).map(([field]) => field);
    return `${value} for ${fields.join(', ')}`;
  });
  return {
    type: 'object',
    description: `Visibility by field. Default: ${defaults.join('; ')}.`,
    propertyNames: { type: 'string', enum: entries.map(([field]) => field) },
    additionalProperties: { type: 'string', enum: [...FIELD_VISIBILITIES] },
  };
}

function createKindUnion(
  kinds: readonly QrCodeKindDescription[],
  toSchemaName: (name: string) => string,
): Json {
  const refs = kinds.map(
    (kind) => [kind.kind, `#/components/schemas/${toSchemaName(pascalCase(kind.kind))}`] as const,
  );
  return {
    oneOf: refs.map(([, ref]) => ({ $ref: ref })),
    discriminator: { propertyName: 'kind', mapping: Object.fromEntries(refs) },
  };
}

function pascalCase(kind: string): string {
  return kind.replace(/(^|_)([A-Z])([A-Z]*)/g, (_all, _start, first, rest) => first + rest.toLowerCase());
}

function getObject(parent: Json, key: string): Json {
  const value = parent[key];
  if (typeof value !== 'object' || value === null) throw new Error(`The document has no ${key}.`);
  return value as Json;
}
