import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Find what the schema of the body cannot express. Runs for each request, before the handler; fields that their
     * schema rejected are left out, so that one response names all invalid fields.
     */
    findBodyErrors?(body: object, request: FastifyRequest): FoundErrors;
    /** The same for the query. */
    findQueryErrors?(query: object, request: FastifyRequest): FoundErrors;
    /**
     * Find what the use case rejects in the body, because it needs the stored record or parses the body. Runs only to
     * complete a response that has errors already.
     */
    findUseCaseErrors?(body: object, request: FastifyRequest): FoundErrors;
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
  return createValidationError(...errors, ...(await findRuleErrors(request, errors)));
}

async function findRuleErrors(
  request: FastifyRequest,
  schemaErrors: readonly FieldError[],
): Promise<FieldError[]> {
  const { findBodyErrors, findQueryErrors, findUseCaseErrors } = request.routeOptions.config;
  const body = omitInvalidFields(request.body, schemaErrors);
  const bodyErrors = (await findBodyErrors?.(body, request)) ?? [];
  const queryErrors =
    (await findQueryErrors?.(omitInvalidFields(request.query, schemaErrors), request)) ?? [];
  const hasErrors = schemaErrors.length + bodyErrors.length + queryErrors.length > 0;
  const useCaseErrors = hasErrors ? ((await findUseCaseErrors?.(body, request)) ?? []) : [];
  return omitReportedFields([...bodyErrors, ...useCaseErrors, ...queryErrors], schemaErrors);
}

/** Enforce the rules that a route declares. Register after access control. */
const plugin: FastifyPluginAsync = async (app) => {
  app.addHook('preHandler', (request, _reply, done) => {
    const { findBodyErrors, findQueryErrors } = request.routeOptions.config;
    if (findBodyErrors || findQueryErrors) assertRules(request).then(() => done(), done);
    else done();
  });
};

export const requestRulesPlugin = fp(plugin, { name: 'request-rules', dependencies: ['access'] });

async function assertRules(request: FastifyRequest): Promise<void> {
  const errors = await findRuleErrors(request, []);
  if (errors.length > 0) throw createValidationError(...errors);
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
