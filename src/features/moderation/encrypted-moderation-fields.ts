import type { FieldCipher } from '../../platform/field-cipher.ts';

type EncryptedColumn =
  | 'qr_code_takedowns.reason'
  | 'qr_code_appeals.message'
  | 'qr_code_appeals.answer'
  | 'qr_code_reports.note';

interface EncryptedRow {
  id: string;
  accountId: string;
}

/** Encrypt a text of an administrator, an owner or a stranger. */
export function encryptModerationText(
  fieldCipher: FieldCipher,
  column: EncryptedColumn,
  row: EncryptedRow,
  text: string,
): Buffer<ArrayBuffer> {
  return fieldCipher.encrypt(getFieldLocation(column, row), text.normalize('NFC').trim());
}

/** Decrypt what `encryptModerationText` wrote. @throws DATA_INTEGRITY */
export function decryptModerationText(
  fieldCipher: FieldCipher,
  column: EncryptedColumn,
  row: EncryptedRow,
  content: Uint8Array,
): string {
  return fieldCipher.decrypt<string>(getFieldLocation(column, row), content);
}

function getFieldLocation(name: EncryptedColumn, { id, accountId }: EncryptedRow) {
  const [table = '', column = ''] = name.split('.');
  return { table, column, rowId: id, accountId };
}
