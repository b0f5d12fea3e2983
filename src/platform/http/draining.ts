import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../../shared/errors.ts';

const READINESS_PATH = '/api/health/ready';

/** While the process stops, readiness is 503 and connections end with their response; other requests are served. */
const plugin: FastifyPluginAsync<{ signal: AbortSignal }> = async (app, { signal }) => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!signal.aborted) return done();
    reply.header('connection', 'close');
    const isReadiness = request.routeOptions.url === READINESS_PATH;
    done(
      isReadiness
        ? new ServiceError('BUSY', { detail: 'The service is stopping.', retryAfterSeconds: 1 })
        : undefined,
    );
  });
};

export const drainingPlugin = fp(plugin, { name: 'draining' });
