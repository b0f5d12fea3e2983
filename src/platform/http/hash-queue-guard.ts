import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route always hashes a password: respond BUSY before reading the body while the queue is full. */
    requiresPasswordHashing?: true;
  }
}

const plugin: FastifyPluginAsync<{ assertNotFull(): void }> = async (app, { assertNotFull }) => {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.config.requiresPasswordHashing) return done();
    try {
      assertNotFull();
      done();
    } catch (error) {
      done(error as Error);
    }
  });
};

export const passwordHashQueueGuardPlugin = fp(plugin, { name: 'full-line' });
