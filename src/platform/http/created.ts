import type { FastifyReply } from 'fastify';
import type { Made } from '../idempotency.ts';

/** Answers 201 with `Location`, and says of a repeat that it is one. The body is what a handler returns. */
export function created<Body>(reply: FastifyReply, made: Made<Body>): Body {
  reply.code(201);
  if (made.location) reply.header('Location', made.location);
  if (made.isReplayed) reply.header('Idempotency-Replayed', 'true');
  return made.body;
}
