import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Nothing comes of the route without a password being hashed: it is refused at once while the line for that is full. */
    requiresPasswordHashing?: true;
  }
}

/**
 * Refuses what would only be refused later on, before its body is read: in a rush the surplus is to cost next to nothing.
 * Who comes to the line all the same, since it was not full yet, is refused there.
 */
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

export const hashQueueGuardPlugin = fp(plugin, { name: 'full-line' });
