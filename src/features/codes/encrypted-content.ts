import { defineColumnCipher } from '../../platform/column-cipher.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { codesCatalogue } from './catalogue.ts';
import type { LostPreset } from './lost-message.ts';

interface QrCodeRowKey {
  id: string;
  accountId: string;
}

export type QrCodeData = Record<string, unknown>;

export interface LostItemReport {
  message: string | null;
  /** What was chosen as the message, which is its text in the owner's language. */
  preset?: LostPreset | null;
  reward: string | null;
  lastSeen: string | null;
  since: string;
  /** A paused code is paused again when the item is found. */
  wasPaused?: boolean;
}

export const QR_CODE_DATA = defineColumnCipher(codesCatalogue, 'qr_codes.data').of<QrCodeData>();

export const LOST_ITEM_REPORT = defineColumnCipher(
  codesCatalogue,
  'qr_codes.lost_details',
).of<LostItemReport>();

/** The report that ended when the code was marked as found. */
export const FOUND_ITEM_REPORT = defineColumnCipher(
  codesCatalogue,
  'qr_codes.found_details',
).of<LostItemReport>();

/** Empty for a purged code. @throws DATA_INTEGRITY */
export function decryptQrCodeData(
  fieldCipher: FieldCipher,
  row: QrCodeRowKey & { data: Uint8Array | null },
): QrCodeData {
  return QR_CODE_DATA.decrypt(fieldCipher, row) ?? {};
}
