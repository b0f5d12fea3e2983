import { createValidationError, type FieldError } from '../../shared/errors.ts';
import { parseQrCodeKind } from './kinds/all-kinds.ts';
import type { QrCodeKindDefinition, QrCodeRuleContext } from './kinds/kind-definition.ts';
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

export interface ParsedQrCode {
  kind: QrCodeKindDefinition;
  input: QrCodeInput;
}

/** @throws VALIDATION_FAILED with all invalid fields */
export function parseNewQrCode(context: QrCodeRuleContext, body: NewQrCodeBody): ParsedQrCode {
  const { kind, members, errors } = readNewQrCode(context, body);
  if (!kind || errors.length > 0) throw createValidationError(...errors);
  const input: QrCodeInput = { ...members, data: body.data };
  const furtherErrors = [
    ...findNothingPublicErrors(kind, input),
    // A new code has no pictures.
    ...findPageDesignPictureErrors(toPageDesign(input.pageDesign), []),
  ];
  if (furtherErrors.length > 0) throw createValidationError(...furtherErrors);
  return { kind, input };
}

/** Find the errors of the fields that are there; each is checked whatever the others are. */
export function findNewQrCodeErrors(context: QrCodeRuleContext, body: Partial<NewQrCodeBody>): FieldError[] {
  return readNewQrCode(context, body).errors;
}

function readNewQrCode(context: QrCodeRuleContext, body: Partial<NewQrCodeBody>) {
  const { data, visibilityPreset } = body;
  const kind = body.kind === undefined ? null : parseQrCodeKind(body.kind);
  const members: Omit<QrCodeInput, 'data'> = {
    mode: parseQrCodeMode(body.mode),
    title: normalizeQrCodeTitle(body.title ?? ''),
    visibility: kind
      ? mergeFieldVisibilities(kind, {}, applyVisibilityPreset(kind, visibilityPreset, body.visibility))
      : {},
    design: mergeQrCodeDesign({}, body.design),
    pageDesign: mergePageDesign({}, body.pageDesign),
    hasPin: typeof body.pin === 'string',
    expiresAt: body.expiresAt ? new Date(body.expiresAt) : null,
  };
  const errors = [
    ...(body.kind === undefined ? [] : findQrCodeKindErrors(kind)),
    ...findTitleErrors(members.title),
    ...(kind ? findKindSpecificErrors(context, kind, { ...members, data }) : []),
    ...(kind ? findVisibilityPresetErrors(kind, visibilityPreset) : []),
    ...findStaticModeErrors(members),
    ...findExpiryDateErrors(members.expiresAt),
  ];
  return { kind, members, errors };
}
