import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../../shared/errors.ts';

const READINESS_PATH = '/api/health/ready';

/** While the process stops, readiness is 503 and connections end with their response; other requests are served. */
const plugin: FastifyPluginAsync<{ signal: AbortSignal }> = async (app, { signal }) => {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!signal.aborted) return done();
    const isReadiness = request.routeOptions.url === READINESS_PATH;
    done(
      isReadiness
        ? new ServiceError('BUSY', { detail: 'The service is stopping.', retryAfterSeconds: 1 })
        : undefined,
    );
  });
  // In onSend, because a request may have started before shutdown began.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (signal.aborted) reply.header('connection', 'close');
    done(null, payload);
  });
};

export const drainingPlugin = fp(plugin, { name: 'draining' });
