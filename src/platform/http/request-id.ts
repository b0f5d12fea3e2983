import { randomUUID } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';

/** A new request id. A client's own X-Request-Id is never taken: it could forge another's trail in the log. */
export function generateRequestId(): string {
  return randomUUID();
}

/** Puts the request's id on every answer as X-Request-Id, so that a person can quote it. */
const plugin: FastifyPluginAsync = async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
};

export const requestIdPlugin = fp(plugin, { name: 'request-id' });
