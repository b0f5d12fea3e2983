import { Type } from 'typebox';
import {
  FREE_TEXT_PATTERN,
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  stringEnum,
  Timestamp,
} from '../../shared/common.schemas.ts';
import { PARTIAL_DATE_PATTERN } from './partial-date.rules.ts';

/** Who can be remembered. */
export const MEMORY_TAG_SUBJECTS = ['PERSON', 'ANIMAL'] as const;

/** What a place was in a life. */
export const PLACE_KINDS = ['BIRTH', 'HOME', 'DEATH', 'GRAVE', 'OTHER'] as const;

/** What somebody is to a memory tag. */
export const MEMORY_TAG_ROLES = ['OWNER', 'CARETAKER'] as const;

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: NON_BLANK_LINE_PATTERN,
  description: 'Who is remembered: the name of a person, or of an animal.',
});
const PartialDate = Type.String({
  maxLength: 10,
  pattern: PARTIAL_DATE_PATTERN,
  description: 'A date as far as it is known, ISO 8601: YYYY, YYYY-MM or YYYY-MM-DD; null where it is not.',
});
const Epitaph = Type.String({
  maxLength: 500,
  pattern: FREE_TEXT_PATTERN,
  description: 'A line for the stone.',
});
const Story = Type.String({ maxLength: 20_000, pattern: FREE_TEXT_PATTERN, description: 'A life told.' });

/** A place of a life. */
export const MemoryTagPlace = Type.Object(
  {
    label: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: NON_BLANK_LINE_PATTERN,
      description: 'What the place is called.',
    }),
    kind: Type.Optional(stringEnum(PLACE_KINDS, { description: 'What it was in this life.' })),
    latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'Degrees, WGS 84.' })),
    longitude: Type.Optional(
      Type.Number({ minimum: -180, maximum: 180, description: 'Degrees; given with the latitude.' }),
    ),
  },
  { additionalProperties: false },
);

const Places = Type.Array(MemoryTagPlace, {
  maxItems: 20,
  description: 'Places of the life, in the order of display.',
});
const Subject = stringEnum(MEMORY_TAG_SUBJECTS, {
  description: 'Whether a person or an animal is remembered.',
});
const GuestBookOpen = Type.Boolean({ description: 'Whether the page has a guest book.' });
const Reminders = Type.Boolean({
  description: 'Whether owner and caretakers are reminded on the days of birth and death.',
});

const optionalFields = {
  subject: Type.Optional(Subject),
  qrCodeId: Type.Optional(
    nullable(
      Type.String({ ...Id, description: 'The code on the stone: one of your own, of kind MEMORY_TAG.' }),
    ),
  ),
  bornOn: Type.Optional(nullable(PartialDate)),
  diedOn: Type.Optional(nullable(PartialDate)),
  epitaph: Type.Optional(nullable(Epitaph)),
  story: Type.Optional(nullable(Story)),
  places: Type.Optional(Places),
  guestBookOpen: Type.Optional(GuestBookOpen),
  anniversaryReminders: Type.Optional(Reminders),
};

export const NewMemoryTag = Type.Object({ name: Name, ...optionalFields });

export const MemoryTagChange = Type.Object({ name: Type.Optional(Name), ...optionalFields });

const commonFields = {
  id: Id,
  ownerId: Id,
  qrCodeId: nullable(Id),
  name: Type.String(),
  subject: Subject,
  bornOn: nullable(PartialDate),
  diedOn: nullable(PartialDate),
  epitaph: nullable(Type.String()),
  story: nullable(Type.String()),
  places: Places,
  guestBookOpen: GuestBookOpen,
  anniversaryReminders: Reminders,
  version: Type.Integer(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** A memory tag in a list. */
export const MemoryTagItem = Type.Object(commonFields, { $id: 'MemoryTagItem' });

export const MemoryTag = Type.Object(
  {
    ...commonFields,
    role: stringEnum(MEMORY_TAG_ROLES, { description: 'What the account is to it.' }),
    readOnly: Type.Boolean({
      description:
        'Beyond what the package has room for, where a larger one has ended: it stays as it is until others are deleted or a larger package is chosen. The oldest memory tags stay within.',
    }),
  },
  { $id: 'MemoryTag' },
);
