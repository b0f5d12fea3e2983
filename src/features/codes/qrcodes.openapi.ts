import { parseQrCodeKind } from './kinds/all-kinds.ts';
import { describeQrCodeKinds, type QrCodeKindDescription } from './kinds/describe-kinds.ts';
import { FIELD_VISIBILITIES } from './visibility.rules.ts';

type Json = Record<string, unknown>;

/** Make codes a union discriminated by `kind`, each with its own `data` and an example. */
export function addQrCodeKindsToOpenApi(document: Json): Json {
  const kinds = describeQrCodeKinds();
  const components = getObject(document, 'components');
  const schemas = getObject(components, 'schemas');
  const operation = getObject(getObject(getObject(document, 'paths'), '/api/qrcodes'), 'post');
  const body = getObject(getObject(getObject(operation, 'requestBody'), 'content'), 'application/json');
  const newQrCode = getObject(body, 'schema');
  const qrCode = getObject(schemas, 'QrCode');
  schemas.NewQrCodeBase = omitKindProperties(newQrCode);
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
  body.examples = Object.fromEntries(
    kinds.map((kind) => [kind.kind, { summary: kind.label, value: createExampleBody(kind) }]),
  );
  return document;
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
