import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { endTrace, getTraceLogFields, runWithSpan, type Span, startTrace } from '../../shared/tracing.ts';
import { createProxyCheck, type ProxyCheck } from './client-address.ts';
import { CLIENT_CLOSED_REQUEST } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the trace of the request is sampled. */
    span: Span | null;
  }
}

/** Trace requests by the template of their route: a path or a query can hold a secret. */
const plugin: FastifyPluginAsync<{ trustProxy: readonly string[] }> = async (app, { trustProxy }) => {
  const isFromProxy = createProxyCheck(trustProxy);
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, reply, done) => {
    const span = startRequestSpan(request, isFromProxy);
    if (!span) return done();
    request.span = span;
    request.log = request.log.child(getTraceLogFields(span));
    reply.log = request.log;
    runWithSpan(span, done);
  });
  // A body arrives by events of the connection, which belong to no request.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.span) runWithSpan(request.span, done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { span } = request;
    if (!span) return done();
    const isClosedByClient = reply.raw.destroyed && !reply.raw.writableFinished;
    const status = isClosedByClient ? CLIENT_CLOSED_REQUEST : reply.statusCode;
    span.setAttributes({ 'http.response.status_code': status });
    if (status >= 500) span.recordError(String(status));
    endTrace(span);
    done();
  });
};

function startRequestSpan(request: FastifyRequest, isFromProxy: ProxyCheck): Span | null {
  // A socket stays open for hours, and what it does is none of its request.
  if (request.headers.upgrade !== undefined) return null;
  const route = request.is404 ? undefined : request.routeOptions.url;
  // Probes of balancers would be half of the traces that a process may send.
  if (route?.startsWith('/api/health/')) return null;
  const { traceparent } = request.headers;
  return startTrace(
    route === undefined ? request.method : `${request.method} ${route}`,
    {
      kind: 'server',
      attributes: {
        'http.request.method': request.method,
        ...(route === undefined ? {} : { 'http.route': route }),
      },
    },
    typeof traceparent === 'string' && isFromProxy(request.raw) ? traceparent : undefined,
  );
}

export const requestTracingPlugin = fp(plugin, { name: 'request-tracing' });
