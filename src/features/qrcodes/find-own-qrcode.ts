import type { FastifyRequest } from 'fastify';
import { userOf } from '../../platform/authentication.ts';
import type { Database, Db, Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findOwnQrCode, lockQrCode, type QrCodeRow } from './qrcode.repository.ts';

type OfOneCode = FastifyRequest<{ Params: { id: string } }>;

/** The code in the path, when it is the caller's. Throws NOT_FOUND. */
export async function ownQrCode(db: Db, request: OfOneCode): Promise<QrCodeRow> {
  const row = await findOwnQrCode(db, userOf(request).id, request.params.id);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/** The same, and until the end of the transaction nobody else changes it. Throws NOT_FOUND. */
export async function lockOwnQrCode(tx: Tx, request: OfOneCode): Promise<QrCodeRow> {
  await lockQrCode(tx, userOf(request).id, request.params.id);
  return ownQrCode(tx, request);
}

/**
 * What `read` makes of the code in the path; where it reads medical content the audit entry is part of the same
 * transaction. Throws NOT_FOUND, and DATA_INTEGRITY when the row was altered.
 */
export async function readOwnQrCode<Reading>(
  database: Database,
  request: OfOneCode,
  read: (row: QrCodeRow) => Reading,
  readsMedical = (row: QrCodeRow) => row.kind === 'MEDICAL',
): Promise<Reading> {
  return database.transaction(async (tx) => {
    const row = await ownQrCode(tx, request);
    const reading = read(row);
    if (readsMedical(row)) await request.audit(tx, { resourceId: row.id });
    return reading;
  });
}
