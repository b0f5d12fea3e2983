import { defineColumnCipher } from '../../platform/column-cipher.ts';
import { memoryTagsCatalogue } from './catalogue.ts';

export interface GuestBookEntryContent {
  name: string | null;
  message: string;
}

export const GUEST_BOOK_ENTRY = defineColumnCipher(
  memoryTagsCatalogue,
  'guest_book_entries.content',
).of<GuestBookEntryContent>();
