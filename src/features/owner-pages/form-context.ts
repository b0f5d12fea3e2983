import type { FastifyRequest } from 'fastify';
import { getRequestContext, type RequestContext } from '../../platform/request-context.ts';
import { isId } from '../../shared/ids.ts';

/** Get the context of a form with a key from its page: however often it is sent, it counts once. */
export function getFormContext(request: FastifyRequest, key: unknown): RequestContext {
  return { ...getRequestContext(request), idempotencyKey: isId(key) ? key : undefined };
}
