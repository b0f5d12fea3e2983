import type { FastifyReply, FastifyRequest } from 'fastify';
import { joinTransaction } from '../bound-database.ts';
import type { Database } from '../database.ts';
import type { CreatedResource, IdempotentHandler } from '../idempotency.ts';
import { getRequestContext } from '../request-context.ts';
import { prepareReply } from './reply-created.ts';

interface IdempotentServices {
  database: Database;
  createIdempotently: IdempotentHandler;
}

interface ActionOwner {
  /** The account, or for the public the code and visitor. */
  who: string;
  isSecret?: boolean;
}

/** Run an action in the transaction that stores its response; a repeat with the same key gets that response. */
export async function actIdempotently<Services extends IdempotentServices, Body>(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  owner: ActionOwner,
  act: (services: Services) => Promise<CreatedResource<Body>>,
): Promise<Body> {
  const input = { ...owner, fingerprint: request.body ?? null };
  const result = await services.createIdempotently(getRequestContext(request), input, (tx) =>
    act({ ...services, database: joinTransaction(services.database, tx) }),
  );
  return prepareReply(reply, result);
}
