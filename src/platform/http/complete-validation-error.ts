import type { FastifyRequest } from 'fastify';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Find what the schema of the body cannot express. Runs when a schema failed, so that one response names all
     * invalid fields; fields that failed are left out. Otherwise the handler checks.
     */
    findBodyErrors?(body: object, request: FastifyRequest): FoundErrors;
    /** The same for the query. */
    findQueryErrors?(query: object, request: FastifyRequest): FoundErrors;
  }
}

type FoundErrors = readonly FieldError[] | Promise<readonly FieldError[]>;

/** Fastify validates the parts of a request in this order and stops at the first that fails. */
const PARTS = ['body', 'querystring', 'headers'] as const;

/** Cached by schema error, since both the audit hook and the error handler complete it. */
const completedErrors = new WeakMap<ServiceError, Promise<unknown>>();

/**
 * Add the errors of later parts, and those of the route's own rules, to the error of a schema. A rule may find that
 * access is denied: then the result is that error.
 */
export async function completeValidationError(request: FastifyRequest, error: unknown): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_FAILED') return error;
  const failed = PARTS.indexOf(Reflect.get(error, 'validationContext'));
  if (failed === -1) return error;
  const completed =
    completedErrors.get(error) ?? addErrors(request, error, failed).catch((failure: unknown) => failure);
  completedErrors.set(error, completed);
  return completed;
}

async function addErrors(
  request: FastifyRequest,
  error: ServiceError,
  failed: number,
): Promise<ServiceError> {
  const errors = [...(error.errors ?? [])];
  for (const part of PARTS.slice(failed + 1)) errors.push(...findSchemaErrors(request, part));
  const { findBodyErrors, findQueryErrors } = request.routeOptions.config;
  const ruleErrors = [
    ...((await findBodyErrors?.(omitInvalidFields(request.body, errors), request)) ?? []),
    ...((await findQueryErrors?.(omitInvalidFields(request.query, errors), request)) ?? []),
  ];
  return createValidationError(...errors, ...omitReportedFields(ruleErrors, errors));
}

/** Add the errors that rules find in fields of a body that passed its schema. */
export function addRuleErrors(
  body: object,
  schemaErrors: readonly FieldError[],
  findErrors: (body: object) => readonly FieldError[],
): FieldError[] {
  const ruleErrors = findErrors(omitInvalidFields(body, schemaErrors));
  return [...schemaErrors, ...omitReportedFields(ruleErrors, schemaErrors)];
}

function omitReportedFields(errors: readonly FieldError[], reported: readonly FieldError[]): FieldError[] {
  return errors.filter(({ field }) => !reported.some((other) => isWithin(field, other.field)));
}

function findSchemaErrors(request: FastifyRequest, part: (typeof PARTS)[number]): FieldError[] {
  const input = part === 'querystring' ? request.query : request[part];
  const result: unknown = request.getValidationFunction(part)?.(input);
  const error: unknown = Reflect.get(Object(result), 'error');
  return error instanceof ServiceError ? (error.errors ?? []) : [];
}

function omitInvalidFields(input: unknown, errors: readonly FieldError[]): object {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return {};
  const isInvalid = (name: string) => errors.some(({ field }) => isWithin(field, name));
  return Object.fromEntries(Object.entries(input).filter(([name]) => !isInvalid(name)));
}

/** `data.phones[0]` is within `data`. */
function isWithin(field: string, outer: string): boolean {
  return field === outer || field.startsWith(`${outer}.`) || field.startsWith(`${outer}[`);
}
