import type { FastifyRequest } from 'fastify';
import { requireUser } from '../../platform/authentication.ts';

export interface OwnedQrCodeId {
  ownerId: string;
  id: string;
}

/**
 * Return the code id of the path with the user as owner.
 * @throws UNAUTHENTICATED
 */
export function getOwnedQrCodeId(request: FastifyRequest<{ Params: { id: string } }>): OwnedQrCodeId {
  return { ownerId: requireUser(request).id, id: request.params.id };
}
