import { createValidationError, type FieldError } from '../../shared/errors.ts';
import { parseQrCodeKind } from './kinds/all-kinds.ts';
import type { QrCodeKindDefinition } from './kinds/kind-definition.ts';
import { findPageDesignPictureErrors, toPageDesign } from './page-design.rules.ts';
import {
  findExpiryDateErrors,
  findKindSpecificErrors,
  findNothingPublicErrors,
  findQrCodeKindErrors,
  findStaticModeErrors,
  findTitleErrors,
  mergeFieldVisibilities,
  mergePageDesign,
  mergeQrCodeDesign,
  normalizeQrCodeTitle,
  parseQrCodeMode,
  type QrCodeInput,
} from './qrcode-input.rules.ts';
import {
  applyVisibilityPreset,
  findVisibilityPresetErrors,
  type VisibilityPreset,
} from './visibility.rules.ts';

export interface NewQrCodeBody {
  kind: string;
  title?: string;
  mode?: string;
  data: Record<string, unknown>;
  visibility?: Record<string, unknown> | null;
  visibilityPreset?: VisibilityPreset;
  design?: Record<string, unknown> | null;
  pageDesign?: Record<string, unknown> | null;
  pin?: string | null;
  expiresAt?: string | null;
}

/** @throws VALIDATION_FAILED with all invalid fields */
export function parseNewQrCode(body: NewQrCodeBody): { kind: QrCodeKindDefinition; input: QrCodeInput } {
  const problems = findNewQrCodeErrors(body);
  const kind = parseQrCodeKind(body.kind);
  if (!kind || problems.length > 0) throw createValidationError(...problems);
  const input: QrCodeInput = {
    mode: parseQrCodeMode(body.mode),
    title: normalizeQrCodeTitle(body.title ?? ''),
    data: body.data,
    visibility: mergeFieldVisibilities(
      kind,
      {},
      applyVisibilityPreset(kind, body.visibilityPreset, body.visibility),
    ),
    design: mergeQrCodeDesign({}, body.design),
    pageDesign: mergePageDesign({}, body.pageDesign),
    hasPin: typeof body.pin === 'string',
    expiresAt: parseExpiryDate(body.expiresAt),
  };
  const furtherProblems = [
    ...findNothingPublicErrors(kind, input),
    // A new code has no pictures.
    ...findPageDesignPictureErrors(toPageDesign(input.pageDesign), []),
  ];
  if (furtherProblems.length > 0) throw createValidationError(...furtherProblems);
  return { kind, input };
}

/** Find the errors of the fields that are there; each is checked whatever the others are. */
export function findNewQrCodeErrors(body: Partial<NewQrCodeBody>): FieldError[] {
  const kind = body.kind === undefined ? null : parseQrCodeKind(body.kind);
  const expiresAt = parseExpiryDate(body.expiresAt);
  const mode = parseQrCodeMode(body.mode);
  return [
    ...(body.kind === undefined ? [] : findQrCodeKindErrors(body.kind)),
    ...findTitleErrors(normalizeQrCodeTitle(body.title ?? '')),
    ...(kind ? findKindSpecificErrors(kind, mergeMembersOfKind(kind, body)) : []),
    ...(kind ? findVisibilityPresetErrors(kind, body.visibilityPreset) : []),
    ...findStaticModeErrors({ mode, hasPin: typeof body.pin === 'string', expiresAt }),
    ...findExpiryDateErrors(expiresAt),
  ];
}

function mergeMembersOfKind(
  kind: QrCodeKindDefinition,
  { data, visibility, design, pageDesign }: Partial<NewQrCodeBody>,
) {
  return {
    data,
    visibility: mergeFieldVisibilities(kind, {}, visibility),
    design: mergeQrCodeDesign({}, design),
    pageDesign: mergePageDesign({}, pageDesign),
  };
}

function parseExpiryDate(expiresAt: string | null | undefined): Date | null {
  return expiresAt ? new Date(expiresAt) : null;
}
