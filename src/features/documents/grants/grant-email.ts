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
  accountId: string;
}

function getEmailLocation({ id, accountId }: OwnedRow) {
  return { table: 'document_grants', column: 'email', rowId: id, accountId };
}
