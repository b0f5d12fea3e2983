import type { Vault } from '../../platform/vault.ts';

interface Owned {
  id: string;
  ownerId: string;
}

/** Encrypts the note of a document for its row. */
export function sealNote(vault: Vault, document: Owned, note: string | null): Buffer<ArrayBuffer> | null {
  return note === null ? null : vault.seal(notePlace(document), note);
}

/** Decrypts the note of a document; null where there is none. Throws DATA_INTEGRITY. */
export function openNote(vault: Vault, row: Owned & { note: Uint8Array | null }): string | null {
  return row.note && vault.open<string>(notePlace(row), row.note);
}

/** Encrypts the file name of a version for its row. */
export function sealFileName(vault: Vault, version: Owned, name: string): Buffer<ArrayBuffer> {
  return vault.seal(namePlace(version), name);
}

/** Decrypts the file name of a version. Throws DATA_INTEGRITY. */
export function openFileName(vault: Vault, row: Owned & { fileName: Uint8Array }): string {
  return vault.open<string>(namePlace(row), row.fileName);
}

function notePlace({ id, ownerId }: Owned) {
  return { table: 'documents', column: 'note', rowId: id, ownerId };
}

function namePlace({ id, ownerId }: Owned) {
  return { table: 'document_versions', column: 'file_name', rowId: id, ownerId };
}
