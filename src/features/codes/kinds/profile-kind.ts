import type { TObject, TProperties } from 'typebox';
import type { QrCodeKindDefinition, TypedQrCodeKindDefinition } from './kind-definition.ts';

interface TitledSchema {
  title?: string;
  properties?: Readonly<Record<string, TitledSchema>>;
  items?: TitledSchema;
}

/** A kind whose STATIC content is a text card, headed by `cardHeading` or the label. */
type ProfileKind<P extends TProperties> = Omit<TypedQrCodeKindDefinition<P>, 'toStaticContent'> & {
  cardHeading?: string;
};

export function defineProfileQrCodeKind<P extends TProperties>(
  definition: ProfileKind<P>,
): QrCodeKindDefinition;
export function defineProfileQrCodeKind(
  definition: Omit<QrCodeKindDefinition, 'toStaticContent'> & { cardHeading?: string },
): QrCodeKindDefinition {
  const { cardHeading, ...rest } = definition;
  const { label, schema, defaultVisibility } = rest;
  const order = Object.keys(defaultVisibility);
  return {
    ...rest,
    toStaticContent: (data) =>
      createTextCard(cardHeading ?? label, schema, order, new Map(Object.entries(data))),
  };
}

/** Any phone shows plain text offline; null without any value. */
function createTextCard(
  heading: string,
  schema: TObject,
  order: readonly string[],
  data: ReadonlyMap<string, unknown>,
): string | null {
  if (data.size === 0) return null;
  const properties: Readonly<Record<string, TitledSchema>> = schema.properties;
  const lines = order
    .filter((field) => field !== 'name' && data.has(field))
    .map(
      (field) => `${properties[field]?.title ?? field}: ${formatValue(data.get(field), properties[field])}`,
    );
  return [data.has('name') ? `${heading}: ${data.get('name')}` : heading, ...lines].join('\n');
}

function formatValue(value: unknown, schema: TitledSchema | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((item) => formatValue(item, schema?.items)).join('; ');
  if (typeof value === 'object' && value !== null) return formatParts(value, schema).join(', ');
  return String(value);
}

function formatParts(value: object, schema: TitledSchema | undefined): string[] {
  const entries = new Map(Object.entries(value));
  const order = Object.keys(schema?.properties ?? {});
  return order
    .filter((key) => entries.has(key))
    .map((key) => formatValue(entries.get(key), schema?.properties?.[key]));
}
