import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import { httpRequestDuration, rateLimitedRequests } from '../monitoring/metrics.ts';
import { getRateLimitClass } from './rate-limits.ts';
import { CLIENT_CLOSED_REQUEST } from './request-log.ts';

const plugin: FastifyPluginAsync = async (app) => {
  app.addHook('onResponse', (request, reply, done) => {
    const isClosedByClient = reply.raw.destroyed && !reply.raw.writableFinished;
    const status = isClosedByClient ? CLIENT_CLOSED_REQUEST : reply.statusCode;
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    httpRequestDuration.observe({ method: request.method, route, status }, reply.elapsedTime / 1_000);
    if (status === 429) rateLimitedRequests.inc({ class: getRateLimitClass(request) });
    done();
  });
};

export const requestMetricsPlugin = fp(plugin, { name: 'request-metrics' });
