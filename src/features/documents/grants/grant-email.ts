import type { FieldCipher } from '../../../platform/field-cipher.ts';

/** A keyed hash can be found without being readable in the table. */
export function hashDocumentGrantEmail(fieldCipher: FieldCipher, email: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('document-grant-email', email);
}

export function encryptDocumentGrantEmail(
  fieldCipher: FieldCipher,
  grant: OwnedRow,
  email: string,
): Buffer<ArrayBuffer> {
  return fieldCipher.encrypt(getEmailLocation(grant), email);
}

/** @throws DATA_INTEGRITY */
export function decryptDocumentGrantEmail(
  fieldCipher: FieldCipher,
  row: OwnedRow & { email: Uint8Array },
): string {
  return fieldCipher.decrypt<string>(getEmailLocation(row), row.email);
}

interface OwnedRow {
  id: string;
  ownerId: string;
}

function getEmailLocation({ id, ownerId }: OwnedRow) {
  return { table: 'document_grants', column: 'email', rowId: id, ownerId };
}
