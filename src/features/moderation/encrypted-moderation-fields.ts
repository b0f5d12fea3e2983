import { defineColumnCipher } from '../../platform/column-cipher.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { moderationCatalogue } from './catalogue.ts';

const TEXTS = {
  takedownReason: defineColumnCipher(moderationCatalogue, 'qr_code_takedowns.reason').of<string>(),
  appealMessage: defineColumnCipher(moderationCatalogue, 'qr_code_appeals.message').of<string>(),
  appealAnswer: defineColumnCipher(moderationCatalogue, 'qr_code_appeals.answer').of<string>(),
  reportNote: defineColumnCipher(moderationCatalogue, 'qr_code_reports.note').of<string>(),
};

export type ModerationText = keyof typeof TEXTS;

interface EncryptedRow {
  id: string;
  accountId: string;
}

/** Encrypt a text of an administrator, an owner or a stranger. */
export function encryptModerationText(
  fieldCipher: FieldCipher,
  name: ModerationText,
  row: EncryptedRow,
  text: string,
): Buffer<ArrayBuffer> {
  return TEXTS[name].encrypt(fieldCipher, row, text.normalize('NFC').trim());
}

/** Decrypt what `encryptModerationText` wrote. @throws DATA_INTEGRITY */
export function decryptModerationText(
  fieldCipher: FieldCipher,
  name: ModerationText,
  row: EncryptedRow,
  content: Uint8Array,
): string {
  return TEXTS[name].decryptValue(fieldCipher, row, content);
}
