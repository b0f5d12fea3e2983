import type { FastifyRequest } from 'fastify';
import { requireUser } from '../../platform/authentication.ts';

/** A code by its id, as one of its owner's. */
export interface OwnedQrCodeId {
  ownerId: string;
  id: string;
}

/** The code in the path, as one of the person's behind the request. Throws UNAUTHENTICATED. */
export function getOwnedQrCodeId(request: FastifyRequest<{ Params: { id: string } }>): OwnedQrCodeId {
  return { ownerId: requireUser(request).id, id: request.params.id };
}
