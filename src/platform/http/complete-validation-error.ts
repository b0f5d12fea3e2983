import type { FastifyRequest } from 'fastify';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';

/**
 * Check a body of a route with `attachValidation` by rules of its own, so that one response names all invalid fields.
 * @param findErrors gets whatever was sent; fields of the wrong form are left out.
 * @throws VALIDATION_FAILED
 */
export async function assertValidBody(
  { body, validationError }: Pick<FastifyRequest, 'body' | 'validationError'>,
  findErrors: (body: Readonly<Record<string, unknown>>) => Promise<readonly FieldError[]>,
): Promise<void> {
  const schemaErrors = validationError instanceof ServiceError ? validationError.errors : [];
  if (validationError && !schemaErrors?.length) throw validationError;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const invalid = new Set(schemaErrors?.map(({ field }) => field));
  const entries = isObject ? Object.entries(body).filter(([name]) => !invalid.has(name)) : [];
  const ruleErrors = await findErrors(Object.fromEntries(entries));
  const errors = [...(schemaErrors ?? []), ...ruleErrors.filter(({ field }) => !invalid.has(field))];
  if (errors.length > 0) throw createValidationError(...errors);
}
