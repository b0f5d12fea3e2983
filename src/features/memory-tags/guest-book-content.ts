import type { Vault } from '../../platform/vault.ts';

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
export function sealEntry(vault: Vault, row: Row, content: EntryContent): Buffer<ArrayBuffer> {
  return vault.seal(place(row), content);
}

/** Decrypts an entry. Throws DATA_INTEGRITY. */
export function openEntry(vault: Vault, row: Row & { content: Uint8Array }): EntryContent {
  return vault.open<EntryContent>(place(row), row.content);
}

function place({ id, ownerId }: Row) {
  return { table: 'guest_book_entries', column: 'content', rowId: id, ownerId };
}
