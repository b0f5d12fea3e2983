import type { FieldCipher } from '../../../platform/field-cipher.ts';

/** What whoever has a normalised address finds by it, and nobody reads in the table. */
export function hashGrantEmail(fieldCipher: FieldCipher, email: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('document-grant-email', email);
}

/** Encrypts the address of a grant for its row. */
export function encryptGrantEmail(
  fieldCipher: FieldCipher,
  grant: OwnedRow,
  email: string,
): Buffer<ArrayBuffer> {
  return fieldCipher.encrypt(getEmailLocation(grant), email);
}

/** Decrypts the address of a grant. Throws DATA_INTEGRITY. */
export function decryptGrantEmail(fieldCipher: FieldCipher, row: OwnedRow & { email: Uint8Array }): string {
  return fieldCipher.decrypt<string>(getEmailLocation(row), row.email);
}

interface OwnedRow {
  id: string;
  ownerId: string;
}

function getEmailLocation({ id, ownerId }: OwnedRow) {
  return { table: 'document_grants', column: 'email', rowId: id, ownerId };
}
