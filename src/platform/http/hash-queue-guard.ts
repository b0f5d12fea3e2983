import type { RequestStep } from './request-steps.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route always hashes a password: respond BUSY before reading the body while the queue is full. */
    requiresPasswordHashing?: true;
  }
}

export function createHashQueueGuard({ assertNotFull }: { assertNotFull(): void }): RequestStep {
  return ({ routeOptions }) => {
    if (routeOptions.config.requiresPasswordHashing) assertNotFull();
  };
}
