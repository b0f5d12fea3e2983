import { Type } from 'typebox';
import {
  ACCOUNT_FIELDS,
  FREE_TEXT_PATTERN,
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  stringEnum,
  Timestamp,
  VERSIONED_SCHEMA,
} from '../../shared/common.schemas.ts';
import { REFERENCE_FIELDS, REFERENCE_INPUT_FIELDS } from '../../shared/metadata.schemas.ts';
import { PARTIAL_DATE_PATTERN } from '../../shared/partial-date.ts';

export const MEMORY_TAG_SUBJECTS = ['PERSON', 'ANIMAL'] as const;

export const MEMORY_TAG_PLACE_KINDS = ['BIRTH', 'HOME', 'DEATH', 'GRAVE', 'OTHER'] as const;

const MEMORY_TAG_ROLES = ['OWNER', 'CARETAKER'] as const;

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: NON_BLANK_LINE_PATTERN,
  description: 'Name of the person or animal.',
});
export const PartialDate = Type.String({
  maxLength: 10,
  pattern: PARTIAL_DATE_PATTERN,
  description: 'Date as far as it is known (ISO 8601): YYYY, YYYY-MM or YYYY-MM-DD; null if unknown.',
});
const Epitaph = Type.String({
  maxLength: 500,
  pattern: FREE_TEXT_PATTERN,
  description: 'Short text for the headstone.',
});
const Story = Type.String({ maxLength: 20_000, pattern: FREE_TEXT_PATTERN, description: 'Life story.' });

export const MemoryTagPlace = Type.Object(
  {
    label: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: NON_BLANK_LINE_PATTERN,
      description: 'Name of the place.',
    }),
    kind: Type.Optional(
      stringEnum(MEMORY_TAG_PLACE_KINDS, { description: 'Role of the place in this life.' }),
    ),
    latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'Degrees, WGS 84.' })),
    longitude: Type.Optional(
      Type.Number({
        minimum: -180,
        maximum: 180,
        description: 'Degrees, WGS 84. Required with the latitude.',
      }),
    ),
  },
  { additionalProperties: false },
);

const Places = Type.Array(MemoryTagPlace, {
  maxItems: 20,
  description: 'Places of this life, in display order.',
});
const Subject = stringEnum(MEMORY_TAG_SUBJECTS, {
  description: 'Whether the memory tag is for a person or an animal.',
});
const GuestBookOpen = Type.Boolean({ description: 'Whether the page has a guest book.' });
const Reminders = Type.Boolean({
  description: 'Whether owner and caretakers are reminded of the days of birth and death.',
});

const optionalFields = {
  subject: Type.Optional(Subject),
  qrCodeId: Type.Optional(
    nullable(Type.String({ ...Id, description: 'Own code of kind MEMORY_TAG that shows this memory tag.' })),
  ),
  bornOn: Type.Optional(nullable(PartialDate)),
  diedOn: Type.Optional(nullable(PartialDate)),
  epitaph: Type.Optional(nullable(Epitaph)),
  story: Type.Optional(nullable(Story)),
  places: Type.Optional(Places),
  guestBookOpen: Type.Optional(GuestBookOpen),
  anniversaryReminders: Type.Optional(Reminders),
  ...REFERENCE_INPUT_FIELDS,
};

export const NewMemoryTag = Type.Object({ name: Name, ...optionalFields });

export const MemoryTagChange = Type.Object({ name: Type.Optional(Name), ...optionalFields });

const commonFields = {
  id: Id,
  ...ACCOUNT_FIELDS,
  qrCodeId: nullable(Id),
  name: Type.String(),
  ...REFERENCE_FIELDS,
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

export const MemoryTagItem = Type.Object(commonFields, { $id: 'MemoryTagItem' });

export const MemoryTag = Type.Object(
  {
    ...commonFields,
    role: stringEnum(MEMORY_TAG_ROLES, { description: 'Your role for this memory tag.' }),
    readOnly: Type.Boolean({
      description:
        'The memory tag exceeds the quota after a change of package. It cannot be changed until others are deleted or the package is upgraded. The oldest memory tags count first.',
    }),
  },
  { $id: 'MemoryTag', ...VERSIONED_SCHEMA },
);
