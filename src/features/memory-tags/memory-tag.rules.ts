import type { Static } from 'typebox';
import type { FieldError } from '../../shared/errors.ts';
import { type Metadata, mergeMetadata } from '../../shared/metadata.schemas.ts';
import { isPartialDateBefore, isValidPartialDate } from '../../shared/partial-date.ts';
import type { MemoryTagChange, MemoryTagPlace } from './memory-tags.schemas.ts';

/** Omitted fields keep their values. */
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
  externalId?: string | null;
  metadata?: Metadata;
}

const OWNER_ONLY_FIELDS: readonly (keyof MemoryTagFields)[] = [
  'qrCodeId',
  'guestBookOpen',
  'anniversaryReminders',
  'externalId',
  'metadata',
];

/** What does not make a read-only memory tag different. */
const REFERENCE_FIELDS: readonly string[] = ['externalId', 'metadata'];

/** Convert input to columns, with texts in NFC. @throws VALIDATION_FAILED for too much metadata */
export function toMemoryTagFields(
  input: Static<typeof MemoryTagChange>,
  storedMetadata: Metadata,
): MemoryTagFields {
  const { name, epitaph, story, places, metadata, ...others } = input;
  const plain = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  return {
    ...plain,
    ...(name === undefined ? {} : { name: name.normalize('NFC') }),
    ...(metadata === undefined ? {} : { metadata: mergeMetadata(storedMetadata, metadata) }),
    ...(epitaph === undefined ? {} : { epitaph: epitaph?.normalize('NFC') ?? null }),
    ...(story === undefined ? {} : { story: story?.normalize('NFC') ?? null }),
    ...(places === undefined
      ? {}
      : { places: places.map((place) => ({ ...place, label: place.label.normalize('NFC') })) }),
  };
}

/** List the fields that differ from the stored row. */
export function listChangedMemoryTagFields(stored: object, input: MemoryTagFields): string[] {
  const plain = (value: unknown) =>
    JSON.stringify(Array.isArray(value) ? value.map(sortMembers) : sortMembers(value));
  return Object.entries(input)
    .filter(([key, value]) => plain(Reflect.get(stored, key)) !== plain(value))
    .map(([key]) => key);
}

export function changesContent(fields: readonly string[]): boolean {
  return fields.some((field) => !REFERENCE_FIELDS.includes(field));
}

export function canCaretakerChangeFields(fields: readonly string[]): boolean {
  return !OWNER_ONLY_FIELDS.some((field) => fields.includes(field));
}

export function omitOwnerOnlyFields(fields: MemoryTagFields): MemoryTagFields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !OWNER_ONLY_FIELDS.some((field) => field === name)),
  );
}

/** Validate the dates of a memory tag, after a change was applied. */
export function findMemoryTagDateErrors({ bornOn, diedOn }: MemoryTagFields): FieldError[] {
  const invalidDates = Object.entries({ bornOn, diedOn }).filter(
    ([, date]) => date && !isValidPartialDate(date),
  );
  if (invalidDates.length > 0)
    return invalidDates.map(([field]) => ({
      field,
      code: 'BAD_FORMAT',
      message: 'Must be a valid date.',
    }));
  if (!bornOn || !diedOn || !isPartialDateBefore(diedOn, bornOn)) return [];
  return [{ field: 'diedOn', code: 'TOO_SMALL', message: 'Must not be before bornOn.' }];
}

export function findMemoryTagPlaceErrors(
  places: readonly Static<typeof MemoryTagPlace>[] = [],
): FieldError[] {
  return places.flatMap(({ latitude, longitude }, index) => {
    if ((latitude === undefined) === (longitude === undefined)) return [];
    const missing = latitude === undefined ? 'latitude' : 'longitude';
    const message = 'Is required if the other coordinate is set.';
    return [{ field: `places[${index}].${missing}`, code: 'REQUIRED', message }];
  });
}

// The database does not keep the order of JSON members.
function sortMembers(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).sort() : value;
}
