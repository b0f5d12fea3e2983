import type { FastifyRequest } from 'fastify';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';

export interface OwnedQrCodeId {
  ownerId: string;
  id: string;
}

/** @throws UNAUTHENTICATED */
export function getOwnedQrCodeId(request: FastifyRequest<{ Params: { id: string } }>): OwnedQrCodeId {
  return { ownerId: requireAuthenticatedUser(request).id, id: request.params.id };
}
