import type { Static } from 'typebox';
import type { FieldError } from '../../shared/errors.ts';
import type { MemoryTagChange, Place } from './memory-tags.schemas.ts';
import { isBefore, isOfCalendar } from './partial-date.rules.ts';

/** What of a memory tag can be given; what is left out stays as it is. */
export interface MemoryTagFields {
  name?: string;
  subject?: string;
  qrCodeId?: string | null;
  bornOn?: string | null;
  diedOn?: string | null;
  epitaph?: string | null;
  story?: string | null;
  places?: Static<typeof Place>[];
  guestBookOpen?: boolean;
  anniversaryReminders?: boolean;
}

/** What only the owner decides about. */
const OWNERS: readonly (keyof MemoryTagFields)[] = ['qrCodeId', 'guestBookOpen', 'anniversaryReminders'];

/** What was given, as the table takes it: texts in Unicode's composed form. */
export function memoryTagFields(given: Static<typeof MemoryTagChange>): MemoryTagFields {
  const { name, epitaph, story, places, ...others } = given;
  const plain = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  return {
    ...plain,
    ...(name === undefined ? {} : { name: name.normalize('NFC') }),
    ...(epitaph === undefined ? {} : { epitaph: epitaph?.normalize('NFC') ?? null }),
    ...(story === undefined ? {} : { story: story?.normalize('NFC') ?? null }),
    ...(places === undefined
      ? {}
      : { places: places.map((place) => ({ ...place, label: place.label.normalize('NFC') })) }),
  };
}

/** Which of the fields differ from what is stored. */
export function changesIn(stored: object, given: MemoryTagFields): string[] {
  const plain = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.map(inOrder) : value);
  return Object.entries(given)
    .filter(([key, value]) => plain(Reflect.get(stored, key)) !== plain(value))
    .map(([key]) => key);
}

/** Whether somebody who only helps may make these changes. */
export function mayCaretakerChange(fields: readonly string[]): boolean {
  return !OWNERS.some((field) => fields.includes(field));
}

/** What is wrong with a life's dates, once a change is laid over what is stored. */
export function dayProblems({ bornOn, diedOn }: MemoryTagFields): FieldError[] {
  const absent = Object.entries({ bornOn, diedOn }).filter(([, date]) => date && !isOfCalendar(date));
  if (absent.length > 0)
    return absent.map(([field]) => ({
      field,
      code: 'BAD_FORMAT',
      message: 'Must be a day that the calendar has.',
    }));
  if (!bornOn || !diedOn || !isBefore(diedOn, bornOn)) return [];
  return [{ field: 'diedOn', code: 'TOO_SMALL', message: 'Must not lie before bornOn.' }];
}

/** What is wrong with places: a position has two coordinates. */
export function placeProblems(places: readonly Static<typeof Place>[] = []): FieldError[] {
  return places.flatMap(({ latitude, longitude }, index) => {
    if ((latitude === undefined) === (longitude === undefined)) return [];
    const missing = latitude === undefined ? 'latitude' : 'longitude';
    const message = 'Is required with the other coordinate.';
    return [{ field: `places[${index}].${missing}`, code: 'REQUIRED', message }];
  });
}

/** The same with its members in one order, by which alone it is no other: the database keeps them in its own. */
function inOrder(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).sort() : value;
}
