import { defineColumnCipher } from '../../../platform/column-cipher.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { documentsCatalogue } from '../catalogue.ts';

export const GRANT_EMAIL = defineColumnCipher(documentsCatalogue, 'document_grants.email').of<string>();

/** A keyed hash can be found without being readable in the table. */
export function hashDocumentGrantEmail(fieldCipher: FieldCipher, email: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('document-grant-email', email);
}
