import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';

export interface SecurityHeadersOptions {
  /** Whether the public base URL is https; HSTS is sent only then (RFC 6797, section 7.2). */
  https: boolean;
}

export function createSecurityHeaders(https: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    ...(https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

/** Add security headers to every response, and `Cache-Control: no-store` where none is set. */
const plugin: FastifyPluginAsync<SecurityHeadersOptions> = async (app, options) => {
  const headers = createSecurityHeaders(options.https);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader('cache-control') || reply.statusCode >= 400) {
      reply.header('cache-control', 'no-store');
    }
    done(null, payload);
  });
};

export const securityHeadersPlugin = fp(plugin, { name: 'security-headers' });
