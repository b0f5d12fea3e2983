import type { FastifyRequest } from 'fastify';
import { requireAccount } from '../../platform/authentication.ts';

export interface OwnedQrCodeId {
  accountId: string;
  id: string;
}

/** @throws UNAUTHENTICATED */
export function getOwnedQrCodeId(request: FastifyRequest<{ Params: { id: string } }>): OwnedQrCodeId {
  return { accountId: requireAccount(request).id, id: request.params.id };
}
