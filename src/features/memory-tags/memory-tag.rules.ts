import type { Static } from 'typebox';
import type { FieldError } from '../../shared/errors.ts';
import type { MemoryTagFields, MemoryTagRow } from './memory-tag.repository.ts';
import type { MemoryTag, MemoryTagChange } from './memory-tags.schemas.ts';

/** What was given, as the table takes it: texts in Unicode's composed form, days as midnight UTC. */
export function memoryTagFields(given: Static<typeof MemoryTagChange>): MemoryTagFields {
  const { name, qrCodeId, bornOn, diedOn, epitaph, story } = given;
  return {
    ...(name === undefined ? {} : { name: name.normalize('NFC') }),
    ...(qrCodeId === undefined ? {} : { qrCodeId }),
    ...(bornOn === undefined ? {} : { bornOn: bornOn === null ? null : new Date(bornOn) }),
    ...(diedOn === undefined ? {} : { diedOn: diedOn === null ? null : new Date(diedOn) }),
    ...(epitaph === undefined ? {} : { epitaph: epitaph?.normalize('NFC') ?? null }),
    ...(story === undefined ? {} : { story: story?.normalize('NFC') ?? null }),
  };
}

/** What is wrong with a life's days, once a change is laid over what is stored. */
export function dayProblems({ bornOn, diedOn }: MemoryTagFields): FieldError[] {
  if (!bornOn || !diedOn || bornOn <= diedOn) return [];
  return [{ field: 'diedOn', code: 'TOO_SMALL', message: 'Must not lie before bornOn.' }];
}

/** A memory tag as its keeper sees it. */
export function memoryTagView(row: MemoryTagRow): Static<typeof MemoryTag> {
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
