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

/** The parts of a body that make a new code. */
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

/** A body, and what its schema found wrong with it, for routes with `attachValidation`. */
export interface ValidatedBody<Body> {
  body: Body;
  validationError?: unknown;
}

/** Reads the body for a new code. Throws VALIDATION_FAILED naming every wrong field. */
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

/**
 * Throws what the schema found wrong; together with what the kind finds wrong
 * in the parts it judges, so that one answer names every wrong field.
 */
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

/** The kind in a body whose shape is not known yet. */
function findKindInBody(body: unknown): KindDefinition | null {
  const name: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'kind') : undefined;
  return typeof name === 'string' ? parseQrCodeKind(name) : null;
}

function isWithin(field: string, error: FieldError): boolean {
  return field === error.field || field.startsWith(`${error.field}.`);
}
