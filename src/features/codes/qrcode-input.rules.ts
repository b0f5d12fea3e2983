import { type QrCodeDesignInput, QrCodeDesignInputSchema } from '../../platform/qr-image/design.schemas.ts';
import { createValidationError, type FieldError } from '../../shared/errors.ts';
import type { QrCodeData } from './encrypted-content.ts';
import { parseQrCodeKind } from './kinds/all-kinds.ts';
import type { QrCodeKindDefinition, QrCodeRuleContext } from './kinds/kind-definition.ts';
import { findQrCodeDataErrors, findSchemaErrors } from './kinds/validate-data.ts';
import { findPageDesignErrors, PAGE_DESIGN_MEMBERS } from './page-design.rules.ts';
import {
  filterVisibleFields,
  findFieldVisibilityErrors,
  parseFieldVisibilities,
  resolveFieldVisibilities,
} from './visibility.rules.ts';

export type QrCodeMode = 'DYNAMIC' | 'STATIC';

export interface QrCodeInput {
  mode: QrCodeMode;
  title: string;
  data: QrCodeData;
  visibility: Record<string, unknown>;
  design: Record<string, unknown>;
  pageDesign: Record<string, unknown>;
  hasPin: boolean;
  expiresAt: Date | null;
}

/** Counted after normalization. */
export const MAX_QR_CODE_TITLE_CHARACTERS = 200;

export function parseQrCodeMode(mode: string | undefined): QrCodeMode {
  return mode?.toUpperCase() === 'STATIC' ? 'STATIC' : 'DYNAMIC';
}

/** Use Unicode NFC, so that equal text is found as equal. */
export function normalizeQrCodeTitle(title: string): string {
  return title.trim().normalize('NFC');
}

/** Null is an unknown kind. */
export function findQrCodeKindErrors(kind: QrCodeKindDefinition | null): FieldError[] {
  if (kind) return [];
  return [
    { field: 'kind', code: 'NOT_ALLOWED', message: 'Must be a kind listed by GET /api/qrcodes/kinds.' },
  ];
}

export function findQrCodeInputErrors(
  context: QrCodeRuleContext,
  kind: QrCodeKindDefinition,
  input: QrCodeInput,
): FieldError[] {
  const problems = [
    ...findTitleErrors(input.title),
    ...findKindSpecificErrors(context, kind, input),
    ...findStaticModeErrors(input),
  ];
  return problems.length > 0 ? problems : findNothingPublicErrors(kind, input);
}

/** For input that is valid otherwise. */
export function findNothingPublicErrors(kind: QrCodeKindDefinition, input: QrCodeInput): FieldError[] {
  if (input.mode !== 'STATIC' || createStaticQrCodeContent(kind, input) !== null) return [];
  const message = 'A STATIC code requires a PUBLIC field.';
  return [{ field: 'visibility', code: 'NOTHING_PUBLIC', message }];
}

export function findQrCodeKindFilterErrors({ kind: names = [] }: { kind?: string[] }): FieldError[] {
  return names.flatMap((name) => findQrCodeKindErrors(parseQrCodeKind(name)));
}

/** @throws VALIDATION_FAILED for an unknown kind */
export function parseQrCodeKindFilter(names: readonly string[]): string[] {
  const kinds = names.map(parseQrCodeKind);
  const errors = kinds.flatMap(findQrCodeKindErrors);
  if (errors.length > 0) throw createValidationError(...errors);
  return kinds.flatMap((kind) => kind?.kind ?? []);
}

/** Validate whatever the other parts are, so that one response names all invalid fields. */
export function findKindSpecificErrors(
  context: QrCodeRuleContext,
  kind: QrCodeKindDefinition,
  {
    data,
    visibility,
    design,
    pageDesign,
  }: { data?: unknown; visibility?: unknown; design?: unknown; pageDesign?: unknown },
): FieldError[] {
  return [
    ...(isObject(data) ? findQrCodeDataErrors(context, kind, data) : []),
    ...(isObject(visibility) ? findFieldVisibilityErrors(kind, visibility) : []),
    ...(isObject(design) ? findQrCodeDesignErrors(design) : []),
    ...(isObject(pageDesign) ? findPageDesignErrors(pageDesign) : []),
  ];
}

/** Use public fields only; null when there is nothing to print. */
export function createStaticQrCodeContent(
  kind: QrCodeKindDefinition,
  code: { title: string; data: QrCodeData; visibility: Record<string, unknown> },
): string | null {
  const visibility = resolveFieldVisibilities(kind, parseFieldVisibilities(code.visibility), false);
  return kind.toStaticContent(filterVisibleFields('FINDER', code.data, visibility) ?? {}, code.title);
}

export function toQrCodeDesignInput(design: Record<string, unknown>): QrCodeDesignInput {
  return design as QrCodeDesignInput;
}

export function mergeFieldVisibilities(
  kind: QrCodeKindDefinition,
  before: object,
  input: object | null | undefined,
) {
  return mergeMembers(kind.defaultVisibility, before, input);
}

export function mergeQrCodeDesign(before: object, input: object | null | undefined) {
  return mergeMembers(QrCodeDesignInputSchema.properties, before, input);
}

export function mergePageDesign(before: object, input: object | null | undefined) {
  return mergeMembers(PAGE_DESIGN_MEMBERS, before, input);
}

export function findExpiryDateErrors(expiresAt: Date | null): FieldError[] {
  if (!expiresAt || expiresAt > new Date()) return [];
  return [{ field: 'expiresAt', code: 'IN_THE_PAST', message: 'Must be in the future.' }];
}

/** Null clears a member, or all; a null of an unknown member stays, so that validation rejects it. */
function mergeMembers(
  knownMembers: object,
  before: object,
  input: object | null | undefined,
): Record<string, unknown> {
  if (input === null) return {};
  const entries = Object.entries({ ...before, ...input });
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== null || !Object.hasOwn(knownMembers, name)),
  );
}

/** Normalization can make a title longer. */
export function findTitleErrors(title: string): FieldError[] {
  if ([...title].length <= MAX_QR_CODE_TITLE_CHARACTERS) return [];
  return [
    {
      field: 'title',
      code: 'TOO_LONG',
      message: `Must have at most ${MAX_QR_CODE_TITLE_CHARACTERS} characters.`,
    },
  ];
}

export function findStaticModeErrors({
  mode,
  hasPin,
  expiresAt,
}: Pick<QrCodeInput, 'mode' | 'hasPin' | 'expiresAt'>): FieldError[] {
  if (mode !== 'STATIC') return [];
  const message = 'A STATIC image shows its content to everybody for ever.';
  return [
    ...(hasPin ? [{ field: 'pin', code: 'NOT_ALLOWED', message }] : []),
    ...(expiresAt ? [{ field: 'expiresAt', code: 'NOT_ALLOWED', message }] : []),
  ];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function findQrCodeDesignErrors(design: unknown): FieldError[] {
  return findSchemaErrors('design', QrCodeDesignInputSchema, design);
}
