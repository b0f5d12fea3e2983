import type { FieldCipher } from '../../platform/field-cipher.ts';

/** What a visitor wrote, and what they call themselves where they say. */
export interface GuestBookEntryContent {
  name: string | null;
  message: string;
}

/** The row that an entry is bound to. */
interface EntryRowKey {
  id: string;
  ownerId: string;
}

/** Encrypts an entry for its row. */
export function encryptGuestBookEntry(
  fieldCipher: FieldCipher,
  row: EntryRowKey,
  content: GuestBookEntryContent,
): Buffer<ArrayBuffer> {
  return fieldCipher.encrypt(toFieldLocation(row), content);
}

/** Decrypts an entry. Throws DATA_INTEGRITY. */
export function decryptGuestBookEntry(
  fieldCipher: FieldCipher,
  row: EntryRowKey & { content: Uint8Array },
): GuestBookEntryContent {
  return fieldCipher.decrypt<GuestBookEntryContent>(toFieldLocation(row), row.content);
}

function toFieldLocation({ id, ownerId }: EntryRowKey) {
  return { table: 'guest_book_entries', column: 'content', rowId: id, ownerId };
}
