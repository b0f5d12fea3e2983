import { Type } from 'typebox';
import { FILLED_LINE, FREE_TEXT, Id, nullable, Timestamp } from '../../shared/common.schemas.ts';

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: FILLED_LINE,
  description: 'Who is remembered: the name of a person, or of an animal.',
});
const Day = Type.String({
  format: 'date',
  // The Gregorian calendar has no year 0.
  pattern: '^(?!0000)',
  description: 'A day, ISO 8601: YYYY-MM-DD.',
});
const Epitaph = Type.String({ maxLength: 500, pattern: FREE_TEXT, description: 'A line for the stone.' });
const Story = Type.String({ maxLength: 20_000, pattern: FREE_TEXT, description: 'A life told.' });

const clearable = {
  qrCodeId: Type.Optional(
    nullable(Type.String({ ...Id, description: 'The code on the stone: one of your own.' })),
  ),
  bornOn: Type.Optional(nullable(Day)),
  diedOn: Type.Optional(nullable(Day)),
  epitaph: Type.Optional(nullable(Epitaph)),
  story: Type.Optional(nullable(Story)),
};

export const NewMemoryTag = Type.Object({ name: Name, ...clearable });

export const MemoryTagChange = Type.Object({ name: Type.Optional(Name), ...clearable });

const facts = {
  id: Id,
  ownerId: Id,
  qrCodeId: nullable(Id),
  name: Type.String(),
  bornOn: nullable(Type.String({ format: 'date' })),
  diedOn: nullable(Type.String({ format: 'date' })),
  epitaph: nullable(Type.String()),
  story: nullable(Type.String()),
  version: Type.Integer(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** A memory tag in a list. */
export const MemoryTagItem = Type.Object(facts, { $id: 'MemoryTagItem' });

export const MemoryTag = Type.Object(
  {
    ...facts,
    readOnly: Type.Boolean({
      description:
        'Beyond what the package has room for, where a larger one has ended: it stays as it is until others are deleted or a larger package is chosen. The oldest memory tags stay within.',
    }),
  },
  { $id: 'MemoryTag' },
);
