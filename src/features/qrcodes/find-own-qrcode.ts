import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Database, Db, Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { OwnedId } from './owned-id.ts';
import { findOwnQrCode, lockQrCode, type QrCodeRow } from './qrcode.repository.ts';

/** The code, when it is the owner's. Throws NOT_FOUND. */
export async function ownQrCode(db: Db, { ownerId, id }: OwnedId): Promise<QrCodeRow> {
  const row = await findOwnQrCode(db, ownerId, id);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/** The same, and until the end of the transaction nobody else changes it. Throws NOT_FOUND. */
export async function lockOwnQrCode(tx: Tx, owned: OwnedId): Promise<QrCodeRow> {
  await lockQrCode(tx, owned.ownerId, owned.id);
  return ownQrCode(tx, owned);
}

/**
 * What `read` makes of a code; where it reads medical content the audit entry is part of the same transaction.
 * Throws NOT_FOUND, and DATA_INTEGRITY when the row was altered.
 */
export async function readOwnQrCode<Reading>(
  database: Database,
  caller: Caller,
  owned: OwnedId,
  read: (row: QrCodeRow) => Reading,
  readsMedical = (row: QrCodeRow) => row.kind === 'MEDICAL',
): Promise<Reading> {
  return database.transaction(async (tx) => {
    const row = await ownQrCode(tx, owned);
    const reading = read(row);
    if (readsMedical(row)) await recordAction(tx, caller, { resourceId: row.id });
    return reading;
  });
}
