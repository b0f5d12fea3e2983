import type { FieldCipher } from '../../platform/field-cipher.ts';

/** The row that an address is bound to. */
interface CaretakerEmailRow {
  id: string;
  ownerId: string;
}

/** By which an address is found again: a keyed hash of its normalised form. */
export function hashCaretakerEmail(fieldCipher: FieldCipher, email: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('caretaker', email);
}

/** Encrypts the address that an owner named. */
export function encryptCaretakerEmail(
  fieldCipher: FieldCipher,
  row: CaretakerEmailRow,
  email: string,
): Buffer<ArrayBuffer> {
  return fieldCipher.encrypt(toFieldLocation(row), email);
}

/** Decrypts it. Throws DATA_INTEGRITY. */
export function decryptCaretakerEmail(
  fieldCipher: FieldCipher,
  row: CaretakerEmailRow & { email: Uint8Array },
): string {
  return fieldCipher.decrypt<string>(toFieldLocation(row), row.email);
}

function toFieldLocation({ id, ownerId }: CaretakerEmailRow) {
  return { table: 'memory_tag_caretakers', column: 'email', rowId: id, ownerId };
}
