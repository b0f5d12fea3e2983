import type { FastifyReply } from 'fastify';
import type { IdempotentResult } from '../idempotency.ts';

/** Set status 201, `Location` and `Idempotency-Replayed`; returns the body to send. */
export function prepareCreatedReply<Body>(reply: FastifyReply, result: IdempotentResult<Body>): Body {
  reply.code(201);
  if (result.location) reply.header('Location', result.location);
  if (result.isReplayed) reply.header('Idempotency-Replayed', 'true');
  return result.body;
}
