import type { FieldCipher } from '../../platform/field-cipher.ts';

/** The row of a code: what its encrypted columns are bound to. */
interface QrCodeRowKey {
  id: string;
  ownerId: string;
}

/** The content of a code: the fields of its kind. */
export type QrCodeData = Record<string, unknown>;

/** What an owner says of a lost thing. */
export interface LostReport {
  message: string | null;
  reward: string | null;
  lastSeen: string | null;
  since: string;
  /** Whether the code was paused before: it is again when the thing is found. */
  wasPaused?: boolean;
}

/** Encrypts the content of a code for its row: AES-256-CBC with HMAC for MEDICAL, AES-256-GCM else. */
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

/** Decrypts the content of a code. A code that was emptied has none. Throws DATA_INTEGRITY. */
export function decryptQrCodeData(
  fieldCipher: FieldCipher,
  row: QrCodeRowKey & { data: Uint8Array | null },
): QrCodeData {
  return row.data ? fieldCipher.decrypt<QrCodeData>(toFieldLocation(row, 'data'), row.data) : {};
}

/** Encrypts what an owner says of a lost thing. */
export function encryptLostReport(fieldCipher: FieldCipher, row: QrCodeRowKey, lost: LostReport) {
  return fieldCipher.encrypt(toFieldLocation(row, 'lost_details'), lost);
}

/** Decrypts what an owner says of a lost thing; null where it is not lost. Throws DATA_INTEGRITY. */
export function decryptLostReport(
  fieldCipher: FieldCipher,
  row: QrCodeRowKey & { lostDetails: Uint8Array | null },
): LostReport | null {
  return row.lostDetails
    ? fieldCipher.decrypt<LostReport>(toFieldLocation(row, 'lost_details'), row.lostDetails)
    : null;
}

function toFieldLocation({ id, ownerId }: QrCodeRowKey, column: string) {
  return { table: 'qr_codes', column, rowId: id, ownerId };
}
