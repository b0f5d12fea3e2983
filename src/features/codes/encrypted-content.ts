import type { FieldCipher } from '../../platform/field-cipher.ts';

interface QrCodeRowKey {
  id: string;
  accountId: string;
}

export type QrCodeData = Record<string, unknown>;

export interface LostItemReport {
  message: string | null;
  reward: string | null;
  lastSeen: string | null;
  since: string;
  /** A paused code is paused again when the item is found. */
  wasPaused?: boolean;
}

/** AES-256-CBC with HMAC for MEDICAL, else AES-256-GCM. */
export function encryptQrCodeData(
  fieldCipher: FieldCipher,
  code: QrCodeRowKey & { kind: string },
  data: QrCodeData,
) {
  return fieldCipher.encrypt(
    toFieldLocation(code, 'data'),
    data,
    code.kind === 'MEDICAL' ? 'CBC_HMAC' : 'GCM',
  );
}

/** Empty for a purged code. @throws DATA_INTEGRITY */
export function decryptQrCodeData(
  fieldCipher: FieldCipher,
  row: QrCodeRowKey & { data: Uint8Array | null },
): QrCodeData {
  return row.data ? fieldCipher.decrypt<QrCodeData>(toFieldLocation(row, 'data'), row.data) : {};
}

export function encryptLostItemReport(fieldCipher: FieldCipher, row: QrCodeRowKey, report: LostItemReport) {
  return fieldCipher.encrypt(toFieldLocation(row, 'lost_details'), report);
}

/** Null when the item is not lost. @throws DATA_INTEGRITY */
export function decryptLostItemReport(
  fieldCipher: FieldCipher,
  row: QrCodeRowKey & { lostDetails: Uint8Array | null },
): LostItemReport | null {
  return row.lostDetails
    ? fieldCipher.decrypt<LostItemReport>(toFieldLocation(row, 'lost_details'), row.lostDetails)
    : null;
}

function toFieldLocation({ id, accountId }: QrCodeRowKey, column: string) {
  return { table: 'qr_codes', column, rowId: id, accountId };
}
