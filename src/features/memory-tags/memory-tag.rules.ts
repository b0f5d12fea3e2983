import type { Static } from 'typebox';
import type { FieldError } from '../../shared/errors.ts';
import type { MemoryTagChange } from './memory-tags.schemas.ts';

/** What of a memory tag can be given; what is left out stays as it is. */
export interface MemoryTagFields {
  name?: string;
  qrCodeId?: string | null;
  bornOn?: Date | null;
  diedOn?: Date | null;
  epitaph?: string | null;
  story?: string | null;
}

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

/** Whether what is given differs from what is stored. */
export function changesAny(stored: MemoryTagFields, given: MemoryTagFields): boolean {
  const plain = (value: unknown) => (value instanceof Date ? value.getTime() : value);
  return Object.entries(given).some(([key, value]) => plain(Reflect.get(stored, key)) !== plain(value));
}

/** What is wrong with a life's days, once a change is laid over what is stored. */
export function dayProblems({ bornOn, diedOn }: MemoryTagFields): FieldError[] {
  if (!bornOn || !diedOn || bornOn <= diedOn) return [];
  return [{ field: 'diedOn', code: 'TOO_SMALL', message: 'Must not lie before bornOn.' }];
}
