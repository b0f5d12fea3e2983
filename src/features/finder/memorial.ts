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

export interface PublicGuestBookEntry extends GuestBookEntryContent {
  createdAt: Date;
}

export interface MemorialContent {
  tag: MemoryTagRow;
  /** The newest approved entries; empty without a guest book. */
  entries: readonly PublicGuestBookEntry[];
  hasMore: boolean;
}

const MAX_NEWEST_ENTRIES = 5;

/** Find the memory tag that a visit shows; null without one and while a PIN is missing. @throws DATA_INTEGRITY */
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
