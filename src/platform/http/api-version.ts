import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { DAY_MS } from '../../shared/durations.ts';
import { createValidationError } from '../../shared/errors.ts';
import {
  API_VERSION,
  type Deprecation,
  EARLIER_API_VERSIONS,
  MIN_DEPRECATION_DAYS,
  type VersionChange,
} from './api-versions.ts';
import type { RequestStep } from './request-steps.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    versionChanges?: readonly VersionChange[];
  }
}

export interface ApiVersionOptions {
  deprecatedOperations: Readonly<Record<string, Deprecation>>;
}

const VERSIONS = [API_VERSION, ...Object.keys(EARLIER_API_VERSIONS)];

/** Send the version of the interface, reject requests for an unknown one, and announce the end of versions and operations. */
export function createApiVersionStep(
  app: FastifyInstance,
  { deprecatedOperations }: ApiVersionOptions,
): RequestStep {
  const headers = new Map(
    Object.entries(deprecatedOperations).map(([id, deprecation]) => [id, createHeaders(id, deprecation)]),
  );
  const unknownIds = new Set(headers.keys());
  const versionHeaders = createVersionHeaders();

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
    const requested = request.headers['api-version'] ?? API_VERSION;
    const headersOfVersion = typeof requested === 'string' ? versionHeaders.get(requested) : undefined;
    reply.header('api-version', API_VERSION).headers(headersOfVersion ?? {});
    const { operationId = '' } = request.routeOptions.schema ?? {};
    reply.headers(headers.get(operationId) ?? {});
    // A preflight is 204 whatever it carries.
    if (headersOfVersion || request.method === 'OPTIONS') return;
    const message = `Must be ${VERSIONS.join(' or ')}, or not sent.`;
    throw createValidationError({ field: 'api-version', code: 'NOT_ALLOWED', message });
  };
}

/**
 * Read a request as the version did that it asks for, and answer as that did. Register before plugins that read the bodies
 * of responses, such as ETags.
 */
async function registerVersionChanges(app: FastifyInstance) {
  app.addHook('onRoute', ({ method, url, config }) => {
    for (const { before } of config?.versionChanges ?? [])
      if (!VERSIONS.slice(0, -1).includes(before))
        throw new Error(`${method} ${url}: no version that can be asked for is before ${before}.`);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    for (const { fromBody, fromQuery } of findChangesSince(request).toReversed()) {
      if (fromBody && isJsonObject(request.body)) request.body = fromBody(request.body);
      if (fromQuery && isJsonObject(request.query)) request.query = fromQuery(request.query);
    }
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const changes = findChangesSince(request);
    const isJson = /^application\/(problem\+)?json\b/.test(String(reply.getHeader('content-type')));
    if (changes.length === 0 || !isJson || typeof payload !== 'string') return done(null, payload);
    const convert = reply.statusCode >= 400 ? toEarlierProblem : toEarlierBody;
    const body = changes.reduce<Record<string, unknown>>(convert, JSON.parse(payload));
    reply.removeHeader('content-length');
    done(null, JSON.stringify(body));
  });
}

const plugin: FastifyPluginAsync = registerVersionChanges;

export const versionChangesPlugin = fp(plugin, { name: 'version-changes' });

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Newest first: each change is undone on the way back. */
function findChangesSince(request: FastifyRequest): readonly VersionChange[] {
  const { versionChanges } = request.routeOptions.config;
  const { 'api-version': requested } = request.headers;
  if (!versionChanges || typeof requested !== 'string') return [];
  if (!Object.hasOwn(EARLIER_API_VERSIONS, requested)) return [];
  return versionChanges
    .filter(({ before }) => before > requested)
    .sort((one, other) => other.before.localeCompare(one.before));
}

function toEarlierBody(body: Record<string, unknown>, { toBody }: VersionChange): Record<string, unknown> {
  return toBody?.(body as never) ?? body;
}

function toEarlierProblem(
  problem: Record<string, unknown>,
  { errorCodes }: VersionChange,
): Record<string, unknown> {
  const code = errorCodes?.[String(problem.code)];
  return code === undefined ? problem : { ...problem, code };
}

function createVersionHeaders(): Map<string, Record<string, string>> {
  const headers = new Map<string, Record<string, string>>([[API_VERSION, {}]]);
  let next = API_VERSION;
  for (const [version, { sunset }] of Object.entries(EARLIER_API_VERSIONS)) {
    const name = `API version ${version}`;
    headers.set(version, { 'api-version': version, ...createHeaders(name, { since: next, sunset }) });
    next = version;
  }
  return headers;
}

/** Format the headers of RFC 9745 and RFC 8594. */
function createHeaders(name: string, { since, sunset }: Deprecation): Record<string, string> {
  const [from, to] = [Date.parse(since), Date.parse(sunset)];
  if (!(to - from >= MIN_DEPRECATION_DAYS * DAY_MS))
    throw new Error(`${name}: the sunset must be ${MIN_DEPRECATION_DAYS} days after the deprecation.`);
  return { deprecation: `@${from / 1000}`, sunset: new Date(to).toUTCString() };
}
