import type { Db } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import {
  decryptGuestBookEntry,
  findMemoryTagOfCode,
  type GuestBookEntryContent,
  listGuestBookEntriesAfter,
  type MemoryTagRow,
} from '../memory-tags/index.ts';
import type { PageVisit } from './record-visit.ts';

/** An entry of a guest book that everybody may read. */
export interface PublicGuestBookEntry extends GuestBookEntryContent {
  createdAt: Date;
}

/** The memory tag that the page of a code shows. */
export interface MemorialContent {
  tag: MemoryTagRow;
  /** The newest entries of its guest book that visitors see; none where it has no guest book. */
  entries: readonly PublicGuestBookEntry[];
  /** Whether there are more of them. */
  hasMore: boolean;
}

/** Entries on the page of a code. */
const MAX_NEWEST_ENTRIES = 5;

/** The memory tag that a visit shows; null of codes of other kinds, without one, and as long as a PIN is missing. Throws DATA_INTEGRITY. */
export async function findMemorial(
  { database, fieldCipher }: { database: { client: Db }; fieldCipher: FieldCipher },
  { code, pinRequired }: Pick<PageVisit, 'code' | 'pinRequired'>,
): Promise<MemorialContent | null> {
  const tag =
    code.kind === 'MEMORY_TAG' && !pinRequired ? await findMemoryTagOfCode(database.client, code) : null;
  if (!tag) return null;
  const rows = tag.guestBookOpen
    ? await listGuestBookEntriesAfter(database.client, tag.id, 'APPROVED', null, MAX_NEWEST_ENTRIES + 1)
    : [];
  const entries = rows
    .slice(0, MAX_NEWEST_ENTRIES)
    .map((row) => ({ ...decryptGuestBookEntry(fieldCipher, row), createdAt: row.createdAt }));
  return { tag, entries, hasMore: rows.length > MAX_NEWEST_ENTRIES };
}
