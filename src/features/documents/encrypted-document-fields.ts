import type { FieldCipher } from '../../platform/field-cipher.ts';

interface OwnedRow {
  id: string;
  accountId: string;
}

export function encryptDocumentNote(
  fieldCipher: FieldCipher,
  document: OwnedRow,
  note: string | null,
): Buffer<ArrayBuffer> | null {
  return note === null ? null : fieldCipher.encrypt(getNoteLocation(document), note);
}

/** @throws DATA_INTEGRITY */
export function decryptDocumentNote(
  fieldCipher: FieldCipher,
  row: OwnedRow & { note: Uint8Array | null },
): string | null {
  return row.note && fieldCipher.decrypt<string>(getNoteLocation(row), row.note);
}

export function encryptDocumentFileName(
  fieldCipher: FieldCipher,
  version: OwnedRow,
  name: string,
): Buffer<ArrayBuffer> {
  return fieldCipher.encrypt(getFileNameLocation(version), name);
}

/** @throws DATA_INTEGRITY */
export function decryptDocumentFileName(
  fieldCipher: FieldCipher,
  row: OwnedRow & { fileName: Uint8Array },
): string {
  return fieldCipher.decrypt<string>(getFileNameLocation(row), row.fileName);
}

function getNoteLocation({ id, accountId }: OwnedRow) {
  return { table: 'documents', column: 'note', rowId: id, accountId };
}

function getFileNameLocation({ id, accountId }: OwnedRow) {
  return { table: 'document_versions', column: 'file_name', rowId: id, accountId };
}
