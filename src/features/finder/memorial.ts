import type { Db } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { listPictures } from '../files/index.ts';
import {
  findMemoryTagOfCode,
  GUEST_BOOK_ENTRY,
  type GuestBookEntryContent,
  listGuestBookEntriesAfter,
  type MemoryTagRow,
} from '../memory-tags/index.ts';
import type { PageVisit } from './visit.ts';

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

/** Null without a memory tag and while a PIN is missing. @throws DATA_INTEGRITY */
export async function findMemorialContent(
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
    .map((row) => ({ ...GUEST_BOOK_ENTRY.decrypt(fieldCipher, row), createdAt: row.createdAt }));
  return { tag, entries, hasMore: rows.length > MAX_NEWEST_ENTRIES };
}

/** Find all that the page of a code without a PIN shows of its memory tag: versions and ids of the rows. */
export async function findMemorialState(
  db: Db,
  code: { id: string; accountId: string; kind: string },
): Promise<unknown> {
  const tag = code.kind === 'MEMORY_TAG' ? await findMemoryTagOfCode(db, code) : null;
  if (!tag) return null;
  const entries = await listGuestBookEntriesAfter(db, tag.id, 'APPROVED', null, MAX_NEWEST_ENTRIES + 1);
  const pictures = await listPictures(db, tag.accountId, { memoryTagId: tag.id });
  return [
    [tag.id, tag.version],
    entries.map(({ id }) => id),
    // A picture that is deleted shifts the others without a new version.
    pictures.map(({ id, version, position }) => [id, version, position]),
  ];
}

type Profile = Readonly<Record<string, unknown>>;

interface LifeFacts {
  name: string;
  bornOn: string | null;
  diedOn: string | null;
  epitaph: string | null;
  story: string | null;
  places: readonly { kind?: string }[];
}

/** Profile fields that places of a kind replace. */
const FIELD_BY_PLACE_KIND: Readonly<Record<string, string>> = { BIRTH: 'birthplace', GRAVE: 'restingPlace' };

/** Facts of the tag replace those of the code; both dates of life count as one fact. */
export function mergeMemoryTagIntoProfile(profile: Profile | null, life: LifeFacts): Profile {
  const { name, bornOn, diedOn, epitaph, story, places } = life;
  const placeFields = places.flatMap(({ kind }) => FIELD_BY_PLACE_KIND[kind ?? ''] ?? []);
  const hasLife = bornOn !== null || diedOn !== null;
  const replaced = [
    ...placeFields,
    ...(hasLife ? ['bornOn', 'diedOn'] : []),
    ...(story ? ['biography'] : []),
    ...(epitaph ? ['epitaph'] : []),
  ];
  const remainingFields = Object.entries(profile ?? {}).filter(([field]) => !replaced.includes(field));
  const tagFields = Object.entries({ name, bornOn, diedOn, epitaph }).filter(([, value]) => value);
  return Object.fromEntries([...remainingFields, ...tagFields]);
}

/** Split a story into parts of at most `bytes` of markup, between words where possible. */
export function splitStory(story: string, bytes: number, sizeOf: (text: string) => number): string[] {
  const parts: string[] = [];
  let part = '';
  let left = bytes;
  for (const word of story.match(/\S{1,200}\s*|\s+/gu) ?? []) {
    const size = sizeOf(word);
    if (size > left && part !== '') {
      parts.push(part.trim());
      part = '';
      left = bytes;
    }
    part += word;
    left -= size;
  }
  return [...parts, part.trim()].filter((each) => each !== '');
}
