import type { FastifyInstance } from 'fastify';
import { DAY_MS } from '../../shared/durations.ts';
import { createValidationError } from '../../shared/errors.ts';
import { API_VERSION, type Deprecation, MIN_DEPRECATION_DAYS } from './api-versions.ts';
import type { RequestStep } from './request-steps.ts';

export interface ApiVersionOptions {
  deprecatedOperations: Readonly<Record<string, Deprecation>>;
}

/** Send the version of the interface, reject requests for another one, and announce the end of deprecated operations. */
export function createApiVersionStep(
  app: FastifyInstance,
  { deprecatedOperations }: ApiVersionOptions,
): RequestStep {
  const headers = new Map(
    Object.entries(deprecatedOperations).map(([id, deprecation]) => [id, createHeaders(id, deprecation)]),
  );
  const unknownIds = new Set(headers.keys());

  app.addHook('onRoute', ({ schema }) => {
    if (schema?.operationId === undefined || !headers.has(schema.operationId)) return;
    schema.deprecated = true;
    unknownIds.delete(schema.operationId);
  });
  app.addHook('onReady', async () => {
    if (unknownIds.size > 0)
      throw new Error(`Deprecated operations that do not exist: ${[...unknownIds].join(', ')}`);
  });

  return (request, reply) => {
    if (!/^\/api(?:[/?]|$)/.test(request.url)) return;
    reply.header('api-version', API_VERSION);
    const { operationId = '' } = request.routeOptions.schema ?? {};
    reply.headers(headers.get(operationId) ?? {});
    const { 'api-version': requested = API_VERSION } = request.headers;
    // A preflight is 204 whatever it carries.
    if (requested === API_VERSION || request.method === 'OPTIONS') return;
    const message = `Must be ${API_VERSION}, or not sent.`;
    throw createValidationError({ field: 'api-version', code: 'NOT_ALLOWED', message });
  };
}

/** Format the headers of RFC 9745 and RFC 8594. */
function createHeaders(operationId: string, { since, sunset }: Deprecation): Record<string, string> {
  const [from, to] = [Date.parse(since), Date.parse(sunset)];
  if (!(to - from >= MIN_DEPRECATION_DAYS * DAY_MS))
    throw new Error(`${operationId}: the sunset must be ${MIN_DEPRECATION_DAYS} days after the deprecation.`);
  return { deprecation: `@${from / 1000}`, sunset: new Date(to).toUTCString() };
}
