import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ERRORS } from '../../catalogue.ts';
import { createValidationError, ServiceError, type ServiceErrorCode } from '../../shared/errors.ts';
import { type SchemaValidationError, toFieldErrors } from '../../shared/field-errors.ts';
import { allowedMethodsPlugin } from './allowed-methods.ts';
import { findIntegrityViolation, isMissingPartitionError, mapDatabaseError } from './database-errors.ts';
import { serializeErrorForLog } from './error-log.ts';
import { completeValidationError } from './request-rules.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a transaction with an audit entry of the request was committed. */
    hasCommittedChange: boolean;
  }
}

/** Bodies up to this size are consumed after an error, so that the sender sees the response. */
const MAX_DRAINED_BYTES = 64 * 1024 * 1024;

const ERROR_CODE_BY_STATUS: Record<number, ServiceErrorCode> = {
  400: 'MALFORMED_BODY',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'UNSUPPORTED_MEDIA_TYPE',
  408: 'REQUEST_TIMEOUT',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  414: 'NOT_FOUND',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  416: 'RANGE_NOT_SATISFIABLE',
  429: 'RATE_LIMITED',
  431: 'HEADERS_TOO_LARGE',
};

/** @param basePath of the public address */
export function toProblemDocument(
  error: ServiceError,
  requestId: string,
  basePath = '',
): Record<string, unknown> {
  const { title, meaning } = ERRORS[error.code];
  return {
    ...error.members,
    type: `${basePath}/api/docs/errors/${error.code}`,
    title,
    status: error.statusCode,
    detail: error.detail ?? meaning,
    code: error.code,
    requestId,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
  };
}

/** Convert anything thrown to an error for clients; an unknown error becomes 500 INTERNAL without details. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const validation = toValidationError(error);
  if (validation !== undefined) return validation;
  const status = readProperty(error, 'statusCode');
  const code = typeof status === 'number' ? ERROR_CODE_BY_STATUS[status] : undefined;
  if (code !== undefined) return new ServiceError(code, { cause: error });
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new ServiceError('VALIDATION_FAILED', { cause: error });
  }
  if (readProperty(error, 'code') === 'FST_ERR_HANDLER_TIMEOUT') {
    return new ServiceError('BUSY', { retryAfterSeconds: 1, cause: error });
  }
  return mapDatabaseError(error) ?? new ServiceError('INTERNAL', { cause: error });
}

/** Convert anything that a request threw. What the database lost after a commit of the request can be a part of it. */
export function toRequestError(request: FastifyRequest, error: unknown): ServiceError {
  const problem = toServiceError(error);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (problem.code !== 'DATABASE_UNAVAILABLE' || isRead || !request.hasCommittedChange) return problem;
  return new ServiceError('OUTCOME_UNKNOWN', { retryAfterSeconds: 1, cause: error });
}

export function sendProblemDocument(reply: FastifyReply, error: ServiceError): FastifyReply {
  setRetryAfterHeader(reply, error);
  setAuthenticateHeader(reply, error);
  return reply
    .code(error.statusCode)
    .removeHeader('etag')
    .type('application/problem+json; charset=utf-8')
    .serializer((body: string) => body)
    .send(JSON.stringify(toProblemDocument(error, reply.request.id, reply.server.publicBasePath)));
}

export function setRetryAfterHeader(reply: FastifyReply, error: ServiceError): void {
  const isRetryable = error.statusCode === 429 || error.statusCode === 503;
  const seconds = error.retryAfterSeconds ?? (isRetryable ? 1 : undefined);
  if (seconds === undefined || (isRetryable && reply.hasHeader('retry-after'))) return;
  reply.header('retry-after', String(Math.max(1, Math.ceil(seconds))));
}

/** Add the challenge of RFC 6750, section 3. Browsers show no dialog for the scheme Bearer. */
function setAuthenticateHeader(reply: FastifyReply, { code, statusCode }: ServiceError): void {
  if (statusCode !== 401 && code !== 'SCOPE_REQUIRED') return;
  const isTokenRejected =
    code === 'UNAUTHENTICATED' && /^Bearer /i.test(reply.request.headers.authorization ?? '');
  const error = code === 'SCOPE_REQUIRED' ? 'insufficient_scope' : isTokenRejected && 'invalid_token';
  reply.header('www-authenticate', `Bearer realm="api"${error ? `, error="${error}"` : ''}`);
}

export function logServiceError(request: FastifyRequest, problem: ServiceError): void {
  // The request line reports a full queue already; overload should not write two lines per request.
  const isFullQueue = problem.code === 'BUSY' && problem.cause === undefined;
  // A check that the service itself breaks would otherwise look like a fault of the client.
  const isIntegrityViolation = findIntegrityViolation(problem.cause) !== undefined;
  if ((problem.statusCode < 500 && !isIntegrityViolation) || isFullQueue) return;
  const isFailure =
    problem.code === 'INTERNAL' ||
    problem.code === 'DATA_INTEGRITY' ||
    isMissingPartitionError(problem.cause);
  const level = isFailure ? 'error' : 'warn';
  const error = serializeErrorForLog(problem.cause ?? problem);
  request.log[level]({ problem: problem.code, error, integrityFailure: problem.integrityFailure }, 'problem');
}

const plugin: FastifyPluginAsync = async (app) => {
  app.decorateRequest('hasCommittedChange', false);
  app.setErrorHandler(async (error, request, reply) => {
    const problem = toRequestError(request, await completeValidationError(request, error));
    logServiceError(request, problem);
    // Fastify closes the connection after an unread body; the sender would see a reset, not the response.
    const length = Number(request.headers['content-length'] ?? 0);
    if (problem.code !== 'REQUEST_TIMEOUT' && length <= MAX_DRAINED_BYTES) reply.removeHeader('connection');
    // Size of the file for an unsatisfiable range (RFC 9110, section 15.5.17).
    const range = readProperty(readProperty(error, 'headers'), 'Content-Range');
    if (typeof range === 'string') reply.header('content-range', range);
    return sendProblemDocument(reply, problem);
  });

  await app.register(allowedMethodsPlugin);
  const sendNotFound = (request: FastifyRequest, reply: FastifyReply) => {
    const methods = app.listAllowedMethods(request.url);
    // A route that has the method may find nothing, such as a file that was removed meanwhile.
    if (methods.length === 0 || methods.includes(request.method))
      return sendProblemDocument(reply, new ServiceError('NOT_FOUND'));
    reply.header('allow', methods.join(', '));
    return sendProblemDocument(reply, new ServiceError('METHOD_NOT_ALLOWED'));
  };
  app.setNotFoundHandler(sendNotFound);

  // An unknown path is 404 whatever its body; do not parse it.
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.is404 && !reply.sent) void sendNotFound(request, reply);
    else done(null, payload);
  });
};

export const problemDetailsPlugin = fp(plugin, { name: 'problem' });

function toValidationError(error: unknown): ServiceError | undefined {
  const schemaErrors = readProperty(error, 'validation');
  if (!Array.isArray(schemaErrors)) return undefined;
  if (readProperty(error, 'validationContext') === 'params') return new ServiceError('NOT_FOUND');
  const context = readProperty(error, 'validationContext');
  const errors: SchemaValidationError[] = schemaErrors;
  return createValidationError(...toFieldErrors(errors, typeof context === 'string' ? context : 'body'));
}

function readProperty(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
