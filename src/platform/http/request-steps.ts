import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Returned by a step that has sent the response, or needs none. */
export const RESPONDED = Symbol('responded');

/** What is done with each request before its body is read. It throws to refuse the request. */
export type RequestStep = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Run steps in this order, in one hook. */
export function addRequestSteps(app: FastifyInstance, ...steps: readonly RequestStep[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    try {
      for (const step of steps) if (step(request, reply) === RESPONDED) return;
    } catch (error) {
      return done(error as Error);
    }
    done();
  });
}
