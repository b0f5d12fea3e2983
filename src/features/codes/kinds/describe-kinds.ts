import { QR_CODE_KINDS } from './all-kinds.ts';
import type { DefaultFieldVisibility } from './kind-definition.ts';

export interface QrCodeKindDescription {
  kind: string;
  label: string;
  description: string;
  schema: Readonly<Record<string, unknown>>;
  defaultVisibility: Readonly<Record<string, DefaultFieldVisibility>>;
  example: Readonly<Record<string, unknown>>;
}

export function describeQrCodeKinds(): QrCodeKindDescription[] {
  return QR_CODE_KINDS.map(({ kind, label, description, schema, defaultVisibility, example }) => ({
    kind,
    label,
    description,
    schema: JSON.parse(JSON.stringify(schema)),
    defaultVisibility,
    example,
  }));
}
