import type { FastifyReply } from 'fastify';
import type { IdempotentResult } from '../idempotency.ts';

/** Answers 201 with `Location`, and says of a repeat that it is one. The body is what a handler returns. */
export function replyCreated<Body>(reply: FastifyReply, result: IdempotentResult<Body>): Body {
  reply.code(201);
  if (result.location) reply.header('Location', result.location);
  if (result.isReplayed) reply.header('Idempotency-Replayed', 'true');
  return result.body;
}
