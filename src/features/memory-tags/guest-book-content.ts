import type { FieldCipher } from '../../platform/field-cipher.ts';

export interface GuestBookEntryContent {
  name: string | null;
  message: string;
}

interface EntryRowKey {
  id: string;
  accountId: string;
}

export function encryptGuestBookEntry(
  fieldCipher: FieldCipher,
  row: EntryRowKey,
  content: GuestBookEntryContent,
): Buffer<ArrayBuffer> {
  return fieldCipher.encrypt(toFieldLocation(row), content);
}

/** Decrypt a guest book entry. @throws DATA_INTEGRITY */
export function decryptGuestBookEntry(
  fieldCipher: FieldCipher,
  row: EntryRowKey & { content: Uint8Array },
): GuestBookEntryContent {
  return fieldCipher.decrypt<GuestBookEntryContent>(toFieldLocation(row), row.content);
}

function toFieldLocation({ id, accountId }: EntryRowKey) {
  return { table: 'guest_book_entries', column: 'content', rowId: id, accountId };
}
