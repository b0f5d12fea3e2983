import type { FieldCipher } from '../../platform/field-cipher.ts';

interface CaretakerEmailRow {
  id: string;
  accountId: string;
}

/** Hash a normalized address with a key, to find it again. */
export function hashCaretakerEmail(fieldCipher: FieldCipher, email: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('caretaker', email);
}

export function encryptCaretakerEmail(
  fieldCipher: FieldCipher,
  row: CaretakerEmailRow,
  email: string,
): Buffer<ArrayBuffer> {
  return fieldCipher.encrypt(toFieldLocation(row), email);
}

/** Decrypt the address of a caretaker. @throws DATA_INTEGRITY */
export function decryptCaretakerEmail(
  fieldCipher: FieldCipher,
  row: CaretakerEmailRow & { email: Uint8Array },
): string {
  return fieldCipher.decrypt<string>(toFieldLocation(row), row.email);
}

function toFieldLocation({ id, accountId }: CaretakerEmailRow) {
  return { table: 'memory_tag_caretakers', column: 'email', rowId: id, accountId };
}
