import fastifyCors from '@fastify/cors';
import type { FastifyPluginAsync, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../../shared/errors.ts';
import { sendProblem } from './problem.ts';

export interface CorsOptions {
  /** Origins that may read answers, or 'any' outside production. */
  origins: readonly string[] | 'any';
}

/** Anything with a scheme and a host; `null`, the origin of sandboxed frames and local files, is never let in. */
const ANY_ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/]+$/i;

const EXPOSED = [
  'ETag',
  'Location',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Request-Id',
  'Idempotency-Replayed',
];

/**
 * OPTIONS on every application path is 204 and empty, with or without preflight headers and whatever the
 * origin; answers may be read by the listed origins alone, never with cookies. Unknown paths stay 404.
 */
const plugin: FastifyPluginAsync<CorsOptions> = async (app, options) => {
  const known = new Set<string>();

  // @fastify/cors answers OPTIONS on any path; a route of its own for each known path tells them apart.
  app.addHook('onRoute', (route: RouteOptions) => {
    if (route.method === 'OPTIONS' || known.has(route.url)) return;
    known.add(route.url);
    app.options(route.url, { schema: { hide: true } }, (_request, reply) => reply.code(204).send());
  });
  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'OPTIONS' && request.routeOptions.url === '*') {
      await sendProblem(reply, new ServiceError('NOT_FOUND'));
    }
  });

  await app.register(fastifyCors, {
    origin: options.origins === 'any' ? [ANY_ORIGIN] : [...options.origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED,
    credentials: false,
    strictPreflight: false,
    maxAge: 600,
  });
};

export const cors = fp(plugin, { name: 'cors' });
