import type { FieldCipher } from '../../platform/field-cipher.ts';

/** What a visitor wrote, and what they call themselves where they say. */
export interface EntryContent {
  name: string | null;
  message: string;
}

/** The row that an entry is bound to. */
interface Row {
  id: string;
  ownerId: string;
}

/** Encrypts an entry for its row. */
export function sealEntry(fieldCipher: FieldCipher, row: Row, content: EntryContent): Buffer<ArrayBuffer> {
  return fieldCipher.seal(place(row), content);
}

/** Decrypts an entry. Throws DATA_INTEGRITY. */
export function openEntry(fieldCipher: FieldCipher, row: Row & { content: Uint8Array }): EntryContent {
  return fieldCipher.open<EntryContent>(place(row), row.content);
}

function place({ id, ownerId }: Row) {
  return { table: 'guest_book_entries', column: 'content', rowId: id, ownerId };
}
