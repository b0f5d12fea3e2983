import type { FastifyReply } from 'fastify';
import type { IdempotentResult } from '../idempotency.ts';

export function prepareCreatedReply<Body>(reply: FastifyReply, result: IdempotentResult<Body>): Body {
  reply.code(201);
  if (result.location) reply.header('Location', result.location);
  if (result.isReplayed) reply.header('Idempotency-Replayed', 'true');
  return result.body;
}
