import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import { parseKind } from './kinds/all-kinds.ts';
import type { KindDefinition } from './kinds/kind-definition.ts';
import {
  expiryProblems,
  kindProblems,
  mergedDesign,
  mergedVisibility,
  modeNamed,
  partProblems,
  type QrCodeInput,
  qrCodeProblems,
  titleOf,
} from './qrcode-input.rules.ts';

/** The parts of a body that make a new code. */
interface NewCode {
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
export interface GivenBody<Body> {
  body: Body;
  validationError?: unknown;
}

/** Reads the body for a new code. Throws VALIDATION_FAILED naming every wrong field. */
export function readInput(given: GivenBody<NewCode>): {
  kind: KindDefinition;
  input: QrCodeInput;
} {
  const { body } = given;
  refuseShape(given, kindIn(body));
  const kind = parseKind(body.kind);
  const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
  if (!kind) throw createValidationError(...kindProblems(body.kind), ...expiryProblems(expiresAt));
  const input: QrCodeInput = {
    mode: modeNamed(body.mode),
    title: titleOf(body.title ?? ''),
    data: body.data,
    visibility: mergedVisibility(kind, {}, body.visibility),
    design: mergedDesign({}, body.design),
    hasPin: typeof body.pin === 'string',
    expiresAt,
  };
  const problems = [...qrCodeProblems(kind, input), ...expiryProblems(expiresAt)];
  if (problems.length > 0) throw createValidationError(...problems);
  return { kind, input };
}

/**
 * Throws what the schema found wrong; together with what the kind finds wrong
 * in the parts it judges, so that one answer names every wrong field.
 */
export function refuseShape(
  { body, validationError }: GivenBody<unknown>,
  kind: KindDefinition | null,
): void {
  if (!validationError) return;
  const named = validationError instanceof ServiceError ? validationError.errors : undefined;
  if (!named || !kind || typeof body !== 'object' || body === null) throw validationError;
  const more = partProblems(kind, body).filter(({ field }) => !named.some((error) => isWithin(field, error)));
  throw createValidationError(...named, ...more);
}

/** The kind in a body whose shape is not known yet. */
function kindIn(body: unknown): KindDefinition | null {
  const name: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'kind') : undefined;
  return typeof name === 'string' ? parseKind(name) : null;
}

function isWithin(field: string, error: FieldError): boolean {
  return field === error.field || field.startsWith(`${error.field}.`);
}
