import { randomUUID } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';

/** Generate a request id. A client's X-Request-Id is never used: it could forge log entries. */
export function generateRequestId(): string {
  return randomUUID();
}

const plugin: FastifyPluginAsync = async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
};

export const requestIdPlugin = fp(plugin, { name: 'request-id' });
