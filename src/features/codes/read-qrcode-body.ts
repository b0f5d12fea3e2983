import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import { parseQrCodeKind } from './kinds/all-kinds.ts';
import type { QrCodeKindDefinition } from './kinds/kind-definition.ts';
import {
  findExpiryDateErrors,
  findKindSpecificErrors,
  findQrCodeInputErrors,
  findQrCodeKindErrors,
  mergeFieldVisibilities,
  mergeQrCodeDesign,
  normalizeQrCodeTitle,
  parseQrCodeMode,
  type QrCodeInput,
} from './qrcode-input.rules.ts';

interface NewQrCodeBody {
  kind: string;
  title?: string;
  mode?: string;
  data: Record<string, unknown>;
  visibility?: Record<string, unknown> | null;
  design?: Record<string, unknown> | null;
  pin?: string | null;
  expiresAt?: string | null;
}

export interface BodyValidationResult<Body> {
  body: Body;
  validationError?: unknown;
}

/** @throws VALIDATION_FAILED with all invalid fields */
export function parseNewQrCode(request: BodyValidationResult<NewQrCodeBody>): {
  kind: QrCodeKindDefinition;
  input: QrCodeInput;
} {
  const { body } = request;
  assertValidQrCodeBody(request, findKindInBody(body));
  const kind = parseQrCodeKind(body.kind);
  const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
  if (!kind)
    throw createValidationError(...findQrCodeKindErrors(body.kind), ...findExpiryDateErrors(expiresAt));
  const input: QrCodeInput = {
    mode: parseQrCodeMode(body.mode),
    title: normalizeQrCodeTitle(body.title ?? ''),
    data: body.data,
    visibility: mergeFieldVisibilities(kind, {}, body.visibility),
    design: mergeQrCodeDesign({}, body.design),
    hasPin: typeof body.pin === 'string',
    expiresAt,
  };
  const problems = [...findQrCodeInputErrors(kind, input), ...findExpiryDateErrors(expiresAt)];
  if (problems.length > 0) throw createValidationError(...problems);
  return { kind, input };
}

/** Add errors by the kind's rules, so that one response names all. @throws VALIDATION_FAILED */
export function assertValidQrCodeBody(
  { body, validationError }: BodyValidationResult<unknown>,
  kind: QrCodeKindDefinition | null,
): void {
  if (!validationError) return;
  const schemaErrors = validationError instanceof ServiceError ? validationError.errors : undefined;
  if (!schemaErrors || !kind || typeof body !== 'object' || body === null) throw validationError;
  const kindErrors = findKindSpecificErrors(kind, body).filter(
    ({ field }) => !schemaErrors.some((error) => isWithin(field, error)),
  );
  throw createValidationError(...schemaErrors, ...kindErrors);
}

function findKindInBody(body: unknown): QrCodeKindDefinition | null {
  const name: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'kind') : undefined;
  return typeof name === 'string' ? parseQrCodeKind(name) : null;
}

function isWithin(field: string, error: FieldError): boolean {
  return field === error.field || field.startsWith(`${error.field}.`);
}
