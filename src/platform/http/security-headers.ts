import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { RequestStep } from './request-steps.ts';

export interface SecurityHeadersOptions {
  /** Whether the public base URL is https; HSTS is sent only then (RFC 6797, section 7.2). */
  https: boolean;
}

/** Directives of every policy; `default-src` stands in for neither `base-uri` nor `frame-ancestors` (CSP 3). */
const REQUIRED_DIRECTIVES = [
  ['base-uri', "'none'"],
  ['frame-ancestors', "'none'"],
  ['object-src', "'none'"],
] as const;

export function createSecurityHeaders(https: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': addRequiredDirectives("default-src 'none'; form-action 'none'"),
    'permissions-policy': 'camera=()',
    'cross-origin-resource-policy': 'same-origin',
    ...(https ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}

/** For the end of a session: lists are kept by the browser, to be revalidated (W3C Clear Site Data). */
export function clearBrowserCache(reply: FastifyReply): void {
  reply.header('clear-site-data', '"cache"');
}

export function createSecurityHeadersStep({ https }: SecurityHeadersOptions): RequestStep {
  const headers = createSecurityHeaders(https);
  return (_request, reply) => {
    reply.headers(headers);
  };
}

/** Complete the policies of routes, and add `Cache-Control: no-store` where none is set. */
const plugin: FastifyPluginAsync<SecurityHeadersOptions> = async (app, options) => {
  const headers = createSecurityHeaders(options.https);
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader('cache-control') || reply.statusCode >= 400) {
      reply.header('cache-control', 'no-store');
    }
    const policy = reply.getHeader('content-security-policy');
    if (typeof policy === 'string' && policy !== headers['content-security-policy'])
      reply.header('content-security-policy', addRequiredDirectives(policy));
    done(null, payload);
  });
};

export const securityHeadersPlugin = fp(plugin, { name: 'security-headers' });

function addRequiredDirectives(policy: string): string {
  const directives = policy.split(';').map((directive) => directive.trim());
  const names = new Set(directives.map((directive) => directive.split(' ', 1)[0]));
  const missing = REQUIRED_DIRECTIVES.filter(([name]) => !names.has(name)).map((pair) => pair.join(' '));
  return [...directives, ...missing].filter(Boolean).join('; ');
}
