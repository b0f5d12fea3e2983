import { createHash } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import { matchesIfNoneMatch } from './conditional-request.rules.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    cache?: 'revalidate';
  }
}

function computeWeakEtag(body: string | Buffer): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** Add ETag, `private, no-cache` and 304 to GET and HEAD of routes with `config.cache = 'revalidate'`, unless a reply is `no-store`. */
const plugin: FastifyPluginAsync = async (app) => {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.routeOptions.config.cache !== 'revalidate' || reply.statusCode !== 200)
      return done(null, payload);
    if (request.method !== 'GET' && request.method !== 'HEAD') return done(null, payload);
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload);
    if (reply.getHeader('cache-control') === 'no-store') return done(null, payload);
    const etag = computeWeakEtag(payload);
    reply.header('etag', etag).header('cache-control', 'private, no-cache');
    if (!matchesIfNoneMatch(request.headers['if-none-match'], etag)) return done(null, payload);
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    // Fastify drops the payload of HEAD itself, and fails on null.
    done(null, request.method === 'HEAD' ? payload : null);
  });
};

export const etagPlugin = fp(plugin, { name: 'etag' });
