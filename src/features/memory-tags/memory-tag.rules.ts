import type { Static } from 'typebox';
import type { FieldError } from '../../shared/errors.ts';
import type { MemoryTagChange, MemoryTagPlace } from './memory-tags.schemas.ts';
import { isDateBefore, isValidDate } from './partial-date.rules.ts';

/** What of a memory tag can be given; what is left out stays as it is. */
export interface MemoryTagFields {
  name?: string;
  subject?: string;
  qrCodeId?: string | null;
  bornOn?: string | null;
  diedOn?: string | null;
  epitaph?: string | null;
  story?: string | null;
  places?: Static<typeof MemoryTagPlace>[];
  guestBookOpen?: boolean;
  anniversaryReminders?: boolean;
}

/** What only the owner decides about. */
const OWNER_ONLY_FIELDS: readonly (keyof MemoryTagFields)[] = [
  'qrCodeId',
  'guestBookOpen',
  'anniversaryReminders',
];

/** What was given, as the table takes it: texts in Unicode's composed form. */
export function toMemoryTagFields(input: Static<typeof MemoryTagChange>): MemoryTagFields {
  const { name, epitaph, story, places, ...others } = input;
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
export function listChangedMemoryTagFields(stored: object, input: MemoryTagFields): string[] {
  const plain = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.map(sortMembers) : value);
  return Object.entries(input)
    .filter(([key, value]) => plain(Reflect.get(stored, key)) !== plain(value))
    .map(([key]) => key);
}

/** Whether somebody who only helps may make these changes. */
export function canCaretakerChange(fields: readonly string[]): boolean {
  return !OWNER_ONLY_FIELDS.some((field) => fields.includes(field));
}

/** What is wrong with a life's dates, once a change is laid over what is stored. */
export function findDateErrors({ bornOn, diedOn }: MemoryTagFields): FieldError[] {
  const invalidDates = Object.entries({ bornOn, diedOn }).filter(([, date]) => date && !isValidDate(date));
  if (invalidDates.length > 0)
    return invalidDates.map(([field]) => ({
      field,
      code: 'BAD_FORMAT',
      message: 'Must be a day that the calendar has.',
    }));
  if (!bornOn || !diedOn || !isDateBefore(diedOn, bornOn)) return [];
  return [{ field: 'diedOn', code: 'TOO_SMALL', message: 'Must not lie before bornOn.' }];
}

/** What is wrong with places: a position has two coordinates. */
export function findPlaceErrors(places: readonly Static<typeof MemoryTagPlace>[] = []): FieldError[] {
  return places.flatMap(({ latitude, longitude }, index) => {
    if ((latitude === undefined) === (longitude === undefined)) return [];
    const missing = latitude === undefined ? 'latitude' : 'longitude';
    const message = 'Is required with the other coordinate.';
    return [{ field: `places[${index}].${missing}`, code: 'REQUIRED', message }];
  });
}

/** The same with its members in one order, by which alone it is no other: the database keeps them in its own. */
function sortMembers(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).sort() : value;
}
