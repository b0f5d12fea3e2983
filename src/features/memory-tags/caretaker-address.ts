import type { FieldCipher } from '../../platform/field-cipher.ts';

/** The row that an address is bound to. */
interface Row {
  id: string;
  ownerId: string;
}

/** By which an address is found again: a keyed hash of its normalised form. */
export function caretakerHash(fieldCipher: FieldCipher, email: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('caretaker', email);
}

/** Encrypts the address that an owner named. */
export function sealCaretakerEmail(fieldCipher: FieldCipher, row: Row, email: string): Buffer<ArrayBuffer> {
  return fieldCipher.seal(place(row), email);
}

/** Decrypts it. Throws DATA_INTEGRITY. */
export function openCaretakerEmail(fieldCipher: FieldCipher, row: Row & { email: Uint8Array }): string {
  return fieldCipher.open<string>(place(row), row.email);
}

function place({ id, ownerId }: Row) {
  return { table: 'memory_tag_caretakers', column: 'email', rowId: id, ownerId };
}
