import type { Db } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { listEntriesAfter } from '../memory-tags/guest-book.repository.ts';
import { type EntryContent, openEntry } from '../memory-tags/guest-book-content.ts';
import { findTagOfCode, type MemoryTagRow } from '../memory-tags/memory-tag.repository.ts';
import type { Visit } from './record-visit.ts';

/** An entry of a guest book that everybody may read. */
export interface ShownEntry extends EntryContent {
  createdAt: Date;
}

/** The memory tag that the page of a code shows. */
export interface Memorial {
  tag: MemoryTagRow;
  /** The newest entries of its guest book that visitors see; none where it has no guest book. */
  entries: readonly ShownEntry[];
  /** Whether there are more of them. */
  hasMore: boolean;
}

/** Entries on the page of a code. */
const NEWEST = 5;

/** The memory tag that a visit shows; null of codes of other kinds, without one, and as long as a PIN is missing. Throws DATA_INTEGRITY. */
export async function memorialOf(
  { database, fieldCipher }: { database: { client: Db }; fieldCipher: FieldCipher },
  { code, pinRequired }: Pick<Visit, 'code' | 'pinRequired'>,
): Promise<Memorial | null> {
  const tag = code.kind === 'MEMORY_TAG' && !pinRequired ? await findTagOfCode(database.client, code) : null;
  if (!tag) return null;
  const rows = tag.guestBookOpen
    ? await listEntriesAfter(database.client, tag.id, 'APPROVED', null, NEWEST + 1)
    : [];
  const entries = rows
    .slice(0, NEWEST)
    .map((row) => ({ ...openEntry(fieldCipher, row), createdAt: row.createdAt }));
  return { tag, entries, hasMore: rows.length > NEWEST };
}
