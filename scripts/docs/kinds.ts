import { QR_CODE_KINDS } from '../../src/features/codes/kinds/all-kinds.ts';
import type {
  DefaultFieldVisibility,
  QrCodeKindDefinition,
} from '../../src/features/codes/kinds/kind-definition.ts';
import { code, formatDocument, formatTable } from './markdown.ts';

interface FieldSchema {
  type?: string;
  format?: string;
  title?: string;
  description?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  items?: FieldSchema;
  properties?: Readonly<Record<string, FieldSchema>>;
  required?: readonly string[];
}

const VISIBILITIES: Record<DefaultFieldVisibility, string> = {
  PUBLIC: 'public',
  PIN_OR_PUBLIC: 'PIN, else public',
  PIN_OR_PRIVATE: 'PIN, else private',
  PRIVATE: 'private',
};

const INTRODUCTION = `
A code has a \`kind\`, and its \`data\` the fields of this kind. A field in **bold** is required. Unknown fields are refused.

The last column is who sees a field by default; \`visibility\` [changes it](../guides/codes.md#decide-who-sees-what). "PIN, else private" means: behind the PIN if the code has one, otherwise private.

\`GET /api/qrcodes/kinds\` has the same as JSON Schema.
`;

/** Format docs/reference/kinds.md: the fields of every kind of code. */
export function formatKinds(): string {
  const overview = QR_CODE_KINDS.map(({ kind, label, description }) => [
    `[${code(kind)}](#${kind.toLowerCase()})`,
    label,
    description,
  ]);
  return formatDocument(
    'Kinds of codes',
    INTRODUCTION,
    formatTable(['kind', 'label', 'use'], overview),
    ...QR_CODE_KINDS.map(formatKind),
  );
}

function formatKind({
  kind,
  description,
  schema,
  defaultVisibility,
  emergencyFields,
  example,
}: QrCodeKindDefinition) {
  const object: FieldSchema = JSON.parse(JSON.stringify(schema));
  const rows = Object.entries(object.properties ?? {}).flatMap(([name, field]) =>
    formatField(name, field, object.required?.includes(name) ?? false, defaultVisibility[name]),
  );
  const notes = [
    defaultVisibility.pictures &&
      `Pictures: up to ten, ${VISIBILITIES[defaultVisibility.pictures]}. See [pictures](../guides/codes.md#pictures).`,
    emergencyFields &&
      `The preset [\`EMERGENCY\`](../guides/codes.md#an-emergency-card) makes these public: ${emergencyFields.map(code).join(', ')}.`,
  ].filter((note) => note !== undefined);
  return [
    `## ${kind}`,
    description,
    formatTable(['field of `data`', 'value', 'meaning', 'seen by default'], rows),
    ...notes,
    `\`\`\`json\n${JSON.stringify({ kind, title: object.title, data: example }, null, 2)}\n\`\`\``,
  ].join('\n\n');
}

/** A row for the field, and one for each field of an object, of its own or in a list. */
function formatField(
  name: string,
  field: FieldSchema,
  isRequired: boolean,
  visibility?: DefaultFieldVisibility,
): string[][] {
  const object = field.type === 'array' ? field.items : field;
  const path = field.type === 'array' ? `${name}[]` : name;
  const row = [
    isRequired ? `**${code(name)}**` : code(name),
    describeValue(field),
    field.description ?? '',
    visibility === undefined ? '' : VISIBILITIES[visibility],
  ];
  const parts = Object.entries(object?.properties ?? {}).flatMap(([part, schema]) =>
    formatField(`${path}.${part}`, schema, object?.required?.includes(part) ?? false),
  );
  return [row, ...parts];
}

function describeValue(field: FieldSchema): string {
  const { type, format, items, maxItems, maxLength, minimum, maximum } = field;
  if (field.enum) return field.enum.map(code).join(', ');
  if (type === 'array') return `up to ${maxItems} of: ${items ? describeValue(items) : 'values'}`;
  if (type === 'object') return 'object';
  if (type === 'boolean') return '`true` or `false`';
  if (type === 'number' || type === 'integer') return `number, ${minimum} to ${maximum}`;
  if (format !== undefined) return format.replace('-', ' ');
  return maxLength === undefined ? 'text' : `text, up to ${maxLength.toLocaleString('en')} characters`;
}
