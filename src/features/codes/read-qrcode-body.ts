import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import { parseQrCodeKind } from './kinds/all-kinds.ts';
import type { KindDefinition } from './kinds/kind-definition.ts';
import {
  findExpiryErrors,
  findKindErrors,
  findPartErrors,
  findQrCodeErrors,
  mergeDesign,
  mergeVisibility,
  normalizeTitle,
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

export interface ValidatedBody<Body> {
  body: Body;
  validationError?: unknown;
}

/** @throws VALIDATION_FAILED with all invalid fields */
export function parseNewQrCode(request: ValidatedBody<NewQrCodeBody>): {
  kind: KindDefinition;
  input: QrCodeInput;
} {
  const { body } = request;
  assertValidBody(request, findKindInBody(body));
  const kind = parseQrCodeKind(body.kind);
  const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
  if (!kind) throw createValidationError(...findKindErrors(body.kind), ...findExpiryErrors(expiresAt));
  const input: QrCodeInput = {
    mode: parseQrCodeMode(body.mode),
    title: normalizeTitle(body.title ?? ''),
    data: body.data,
    visibility: mergeVisibility(kind, {}, body.visibility),
    design: mergeDesign({}, body.design),
    hasPin: typeof body.pin === 'string',
    expiresAt,
  };
  const problems = [...findQrCodeErrors(kind, input), ...findExpiryErrors(expiresAt)];
  if (problems.length > 0) throw createValidationError(...problems);
  return { kind, input };
}

/** Add errors by the kind's rules, so that one response names all. @throws VALIDATION_FAILED */
export function assertValidBody(
  { body, validationError }: ValidatedBody<unknown>,
  kind: KindDefinition | null,
): void {
  if (!validationError) return;
  const schemaErrors = validationError instanceof ServiceError ? validationError.errors : undefined;
  if (!schemaErrors || !kind || typeof body !== 'object' || body === null) throw validationError;
  const kindErrors = findPartErrors(kind, body).filter(
    ({ field }) => !schemaErrors.some((error) => isWithin(field, error)),
  );
  throw createValidationError(...schemaErrors, ...kindErrors);
}

function findKindInBody(body: unknown): KindDefinition | null {
  const name: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'kind') : undefined;
  return typeof name === 'string' ? parseQrCodeKind(name) : null;
}

function isWithin(field: string, error: FieldError): boolean {
  return field === error.field || field.startsWith(`${error.field}.`);
}
