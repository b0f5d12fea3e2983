import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../../shared/errors.ts';
import type { RequestStep } from './request-steps.ts';

const READINESS_PATH = '/api/health/ready';

/** While the process stops, readiness is 503; other requests are served. */
export function createReadinessCheck(stopping: AbortSignal): RequestStep {
  return (request) => {
    if (stopping.aborted && request.routeOptions.url === READINESS_PATH)
      throw new ServiceError('BUSY', { detail: 'The service is stopping.', retryAfterSeconds: 1 });
  };
}

/** While the process stops, connections end with their response. */
const plugin: FastifyPluginAsync<{ signal: AbortSignal }> = async (app, { signal }) => {
  // In onSend, because a request may have started before shutdown began.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (signal.aborted) reply.header('connection', 'close');
    done(null, payload);
  });
};

export const drainingPlugin = fp(plugin, { name: 'draining' });
