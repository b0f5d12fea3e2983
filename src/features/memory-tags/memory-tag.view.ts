import type { Static } from 'typebox';
import type { MemoryTagRow } from './memory-tag.repository.ts';
import type { MemoryTag, MemoryTagItem } from './memory-tags.schemas.ts';

/** A memory tag as its keeper sees it. */
export function memoryTagView(row: MemoryTagRow, readOnly: boolean): Static<typeof MemoryTag> {
  return { ...memoryTagItemView(row), readOnly };
}

/** A memory tag in a list. */
export function memoryTagItemView(row: MemoryTagRow): Static<typeof MemoryTagItem> {
  return {
    id: row.id,
    ownerId: row.ownerId,
    qrCodeId: row.qrCodeId,
    name: row.name,
    bornOn: dayOf(row.bornOn),
    diedOn: dayOf(row.diedOn),
    epitaph: row.epitaph,
    story: row.story,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function dayOf(date: Date | null): string | null {
  return date?.toISOString().slice(0, 10) ?? null;
}
