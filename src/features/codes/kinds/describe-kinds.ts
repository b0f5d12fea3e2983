import { QR_CODE_KINDS } from './all-kinds.ts';
import type { DefaultVisibility } from './kind-definition.ts';

export interface KindDescription {
  kind: string;
  label: string;
  description: string;
  schema: Readonly<Record<string, unknown>>;
  defaultVisibility: Readonly<Record<string, DefaultVisibility>>;
  example: Readonly<Record<string, unknown>>;
}

export function describeKinds(): KindDescription[] {
  return QR_CODE_KINDS.map(({ kind, label, description, schema, defaultVisibility, example }) => ({
    kind,
    label,
    description,
    schema: JSON.parse(JSON.stringify(schema)),
    defaultVisibility,
    example,
  }));
}
