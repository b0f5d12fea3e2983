import type { FastifyReply } from 'fastify';
import type { IdempotentResult } from '../idempotency.ts';

/** Set status 201, `Location` and `Idempotency-Replayed`; returns the body to send. */
export function prepareCreatedReply<Body>(reply: FastifyReply, result: IdempotentResult<Body>): Body {
  return prepareReply(reply.code(201), result);
}

/** Set `Location` and `Idempotency-Replayed`; returns the body to send. */
export function prepareReply<Body>(
  reply: FastifyReply,
  { body, location, isReplayed }: IdempotentResult<Body>,
): Body {
  if (location) reply.header('Location', location);
  if (isReplayed) reply.header('Idempotency-Replayed', 'true');
  return body;
}
