import { QR_CODE_KINDS } from './all-kinds.ts';
import type { DefaultVisibility } from './kind-definition.ts';

/** What a client needs to know of a kind to build its form. */
export interface KindDescription {
  kind: string;
  label: string;
  description: string;
  /** JSON Schema of `data`. */
  schema: Readonly<Record<string, unknown>>;
  defaultVisibility: Readonly<Record<string, DefaultVisibility>>;
  example: Readonly<Record<string, unknown>>;
}

/** Every kind as plain data, for `GET /api/qrcodes/kinds` and the OpenAPI document. */
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
