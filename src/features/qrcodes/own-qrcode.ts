import type { FastifyRequest } from 'fastify';
import { userOf } from '../../platform/authentication.ts';
import type { Db } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findOwnQrCode, type QrCodeRow } from './qrcode.repository.ts';

/** The code in the path, when it is the caller's. Throws NOT_FOUND. */
export async function ownQrCode(
  db: Db,
  request: FastifyRequest<{ Params: { id: string } }>,
): Promise<QrCodeRow> {
  const row = await findOwnQrCode(db, userOf(request).id, request.params.id);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}
