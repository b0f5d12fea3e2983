import fastifyCors from '@fastify/cors';
import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../../shared/errors.ts';
import { APPLICATION_ROOT_PATH_SEGMENTS } from './application-paths.ts';
import { MERGE_PATCH_CONTENT_TYPE } from './json-body.ts';
import { sendProblemDocument } from './problem-details.ts';
import { RESPONDED, type RequestStep } from './request-steps.ts';

export interface CorsOptions {
  origins: readonly string[] | 'any';
  /** Whether `/app` is a path of the application. */
  hasOwnerPages?: boolean;
}

/** Any scheme and host. `null`, the origin of sandboxed frames and local files, does not match. */
const ANY_ORIGIN_PATTERN = /^[a-z][a-z0-9+.-]*:\/\/[^/]+$/i;

export function isOriginAllowed(origin: string, allowed: CorsOptions['origins']): boolean {
  return allowed === 'any' ? ANY_ORIGIN_PATTERN.test(origin) : allowed.includes(origin);
}

const EXPOSED_HEADERS = [
  'API-Version',
  'Accept-Patch',
  'Allow',
  'Deprecation',
  'ETag',
  'Location',
  'Retry-After',
  'Sunset',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'WWW-Authenticate',
  'X-Request-Id',
  'Idempotency-Replayed',
];

/** Name the methods of a known path in the response to OPTIONS; outside of the application's roots there is none. */
export const describeMethods: RequestStep = (request, reply) => {
  if (request.method !== 'OPTIONS') return undefined;
  if (request.routeOptions.url === '*' && request.raw.url !== '*') {
    void sendProblemDocument(reply, new ServiceError('NOT_FOUND'));
    return RESPONDED;
  }
  const methods = request.server.listAllowedMethods(request.url);
  if (methods.length > 0) reply.header('allow', methods.join(', '));
  if (methods.includes('PATCH'))
    reply.header('accept-patch', `application/json, ${MERGE_PATCH_CONTENT_TYPE}`);
  return undefined;
};

/** Answer every OPTIONS below the application's roots with 204, for any origin. Register after `describeMethods`. */
const plugin: FastifyPluginAsync<CorsOptions> = async (app, options) => {
  // @fastify/cors answers OPTIONS on any path; by these routes `describeMethods` knows the application's paths.
  const roots = APPLICATION_ROOT_PATH_SEGMENTS.filter((root) => root !== 'app' || options.hasOwnerPages);
  for (const path of ['/', ...roots.flatMap((root) => [`/${root}`, `/${root}/*`])]) {
    app.options(path, { schema: { hide: true } }, (_request, reply) => reply.code(204).send());
  }
  await app.register(fastifyCors, {
    origin: options.origins === 'any' ? [ANY_ORIGIN_PATTERN] : [...options.origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    credentials: false,
    strictPreflight: false,
    maxAge: 600,
  });
};

export const corsPlugin = fp(plugin, { name: 'cors' });
