import type { Static } from 'typebox';
import { toAccountFields } from '../../shared/common.schemas.ts';
import type { Metadata } from '../../shared/metadata.schemas.ts';
import type { MemoryTagRow } from './memory-tag.repository.ts';
import type {
  MEMORY_TAG_PLACE_KINDS,
  MEMORY_TAG_SUBJECTS,
  MemoryTag,
  MemoryTagItem,
  MemoryTagPlace,
} from './memory-tags.schemas.ts';

export type MemoryTagRole = Static<typeof MemoryTag>['role'];

export function toMemoryTagView(
  row: MemoryTagRow,
  role: MemoryTagRole,
  readOnly: boolean,
): Static<typeof MemoryTag> {
  return { ...toMemoryTagListItemView(hideReferences(row, role)), role, readOnly };
}

/** Ids and metadata of the owner are not for caretakers. */
export function hideReferences(row: MemoryTagRow, role: MemoryTagRole): MemoryTagRow {
  return role === 'OWNER' ? row : { ...row, externalId: null, metadata: {} };
}

export function toMemoryTagListItemView(row: MemoryTagRow): Static<typeof MemoryTagItem> {
  const { id, accountId, qrCodeId, name, bornOn, diedOn, epitaph, story, version } = row;
  return {
    id,
    ...toAccountFields(accountId),
    qrCodeId,
    name,
    externalId: row.externalId,
    metadata: row.metadata as Metadata,
    subject: parseMemoryTagSubject(row),
    bornOn,
    diedOn,
    epitaph,
    story,
    places: parseMemoryTagPlaces(row),
    guestBookOpen: row.guestBookOpen,
    anniversaryReminders: row.anniversaryReminders,
    version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

// A CHECK constraint allows no other value.
function parseMemoryTagSubject({
  subject,
}: Pick<MemoryTagRow, 'subject'>): (typeof MEMORY_TAG_SUBJECTS)[number] {
  return subject === 'ANIMAL' ? 'ANIMAL' : 'PERSON';
}

/** Return the places of a memory tag. */
export function parseMemoryTagPlaces({
  places,
}: Pick<MemoryTagRow, 'places'>): Static<typeof MemoryTagPlace>[] {
  const stored: unknown = places;
  return (Array.isArray(stored) ? stored : []).map(({ label, kind, latitude, longitude }) => ({
    label: String(label),
    ...(kind === undefined ? {} : { kind: kind as (typeof MEMORY_TAG_PLACE_KINDS)[number] }),
    ...(latitude === undefined ? {} : { latitude: Number(latitude), longitude: Number(longitude) }),
  }));
}
