import type { FieldError } from '../../shared/errors.ts';
import type { DefaultFieldVisibility, QrCodeKindDefinition } from './kinds/kind-definition.ts';

export const FIELD_VISIBILITIES = ['PUBLIC', 'PIN', 'PRIVATE'] as const;

export type FieldVisibility = (typeof FIELD_VISIBILITIES)[number];

export type FieldViewer = 'FINDER' | 'PIN' | 'OWNER';

const VISIBILITIES_BY_VIEWER: Readonly<Record<FieldViewer, readonly FieldVisibility[]>> = {
  FINDER: ['PUBLIC'],
  PIN: ['PUBLIC', 'PIN'],
  OWNER: FIELD_VISIBILITIES,
};

export function parseFieldVisibilities(stored: unknown): Record<string, FieldVisibility> {
  const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
  return Object.fromEntries(entries.flatMap(([field, word]) => (isVisibility(word) ? [[field, word]] : [])));
}

export function findFieldVisibilityErrors(
  kind: QrCodeKindDefinition,
  overrides: Readonly<Record<string, unknown>>,
): FieldError[] {
  return Object.entries(overrides).flatMap(([name, value]): FieldError[] => {
    const field = `visibility.${name.slice(0, 64)}`;
    if (!Object.hasOwn(kind.defaultVisibility, name))
      return [{ field, code: 'UNKNOWN_FIELD', message: `A code of kind ${kind.kind} has no such field.` }];
    if (!isVisibility(value))
      return [{ field, code: 'NOT_ALLOWED', message: `Must be one of: ${FIELD_VISIBILITIES.join(', ')}.` }];
    return [];
  });
}

/** Store the input, not the result: a PIN set later must change the defaults. */
export function resolveFieldVisibilities(
  kind: QrCodeKindDefinition,
  overrides: Readonly<Record<string, FieldVisibility>>,
  hasPin: boolean,
): Record<string, FieldVisibility> {
  const fields = Object.entries(kind.defaultVisibility);
  return Object.fromEntries(
    fields.map(([field, defaultVisibility]) => [
      field,
      (Object.hasOwn(overrides, field) ? overrides[field] : undefined) ??
        resolveDefault(defaultVisibility, hasPin),
    ]),
  );
}

export const VISIBILITY_PRESETS = ['EMERGENCY'] as const;

export type VisibilityPreset = (typeof VISIBILITY_PRESETS)[number];

/** Add what a preset sets after what the input says itself, which counts more. */
export function applyVisibilityPreset(
  { emergencyFields = [] }: QrCodeKindDefinition,
  preset: VisibilityPreset | undefined,
  input: Readonly<Record<string, unknown>> | null | undefined,
): Readonly<Record<string, unknown>> | null | undefined {
  if (preset === undefined) return input;
  const added = emergencyFields.filter((field) => !Object.hasOwn(input ?? {}, field));
  return { ...input, ...Object.fromEntries(added.map((field) => [field, 'PUBLIC'])) };
}

export function findVisibilityPresetErrors(
  { kind, emergencyFields }: QrCodeKindDefinition,
  preset: VisibilityPreset | undefined,
): FieldError[] {
  if (preset === undefined || emergencyFields) return [];
  const message = `A code of kind ${kind} has no such preset.`;
  return [{ field: 'visibilityPreset', code: 'NOT_ALLOWED', message }];
}

/** Whether finders learn nothing without the PIN: no field at all, or of an emergency card none that helps. */
export function showsNothingUseful(
  kind: QrCodeKindDefinition,
  data: Readonly<Record<string, unknown>>,
  visibility: Readonly<Record<string, FieldVisibility>>,
): boolean {
  const visible = Object.keys(filterVisibleFields('FINDER', data, visibility) ?? {});
  return !visible.some((field) => !kind.emergencyFields || kind.emergencyFields.includes(field));
}

export function isFieldVisible(viewer: FieldViewer, visibility: FieldVisibility): boolean {
  return VISIBILITIES_BY_VIEWER[viewer].includes(visibility);
}

/** Null when no field is visible; fields without a resolved visibility are for the owner only. */
export function filterVisibleFields(
  viewer: FieldViewer,
  data: Readonly<Record<string, unknown>>,
  visibility: Readonly<Record<string, FieldVisibility>>,
): Record<string, unknown> | null {
  if (viewer === 'OWNER') return Object.keys(data).length > 0 ? { ...data } : null;
  const visibleFields = Object.entries(visibility)
    .filter(([field, level]) => isFieldVisible(viewer, level) && Object.hasOwn(data, field))
    .map(([field]) => [field, data[field]]);
  return visibleFields.length > 0 ? Object.fromEntries(visibleFields) : null;
}

function resolveDefault(defaultVisibility: DefaultFieldVisibility, hasPin: boolean): FieldVisibility {
  if (defaultVisibility === 'PIN_OR_PRIVATE') return hasPin ? 'PIN' : 'PRIVATE';
  if (defaultVisibility === 'PIN_OR_PUBLIC') return hasPin ? 'PIN' : 'PUBLIC';
  return defaultVisibility;
}

function isVisibility(value: unknown): value is FieldVisibility {
  return FIELD_VISIBILITIES.some((word) => word === value);
}
