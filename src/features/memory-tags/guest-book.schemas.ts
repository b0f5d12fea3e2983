import { Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp } from '../../shared/common.schemas.ts';
import { CursorParam, createCursorPageSchema, PageQuery } from '../../shared/pagination.ts';

/** What became of an entry. */
export const GUEST_BOOK_ENTRY_STATES = ['PENDING', 'APPROVED', 'HIDDEN'] as const;

export type GuestBookEntryState = (typeof GUEST_BOOK_ENTRY_STATES)[number];

const stateOptions = { description: 'PENDING until somebody decides; visitors see what is APPROVED.' };

export const GuestBookEntry = Type.Object(
  {
    id: Id,
    name: nullable(Type.String({ description: 'What the visitor calls themselves.' })),
    message: Type.String({ description: 'Plain text.' }),
    state: stringEnum(GUEST_BOOK_ENTRY_STATES, stateOptions),
    decidedAt: nullable(Type.String({ format: 'date-time', description: 'When it was last decided about.' })),
    createdAt: Timestamp,
  },
  { $id: 'GuestBookEntry' },
);

export const GuestBook = createCursorPageSchema(GuestBookEntry, 'GuestBook');

export const GuestBookQuery = Type.Object({
  ...PageQuery.properties,
  cursor: CursorParam,
  state: Type.Optional(stringEnum(GUEST_BOOK_ENTRY_STATES, { description: 'Only these.' })),
});

export const EntryDecision = Type.Object({
  state: stringEnum(['APPROVED', 'HIDDEN'], { description: 'APPROVED: visitors see it.' }),
});
