import { Type } from 'typebox';
import { Id, nullable, repeatable, stringEnum, Timestamp } from '../../shared/common.schemas.ts';
import { createNamedPageSchema, PageQuery } from '../../shared/pagination.ts';

export const GUEST_BOOK_ENTRY_STATES = ['PENDING', 'APPROVED', 'HIDDEN'] as const;

export type GuestBookEntryState = (typeof GUEST_BOOK_ENTRY_STATES)[number];

/** Bounds the growth of an unattended guest book. */
export const MAX_PENDING_ENTRIES = 500;

const statusOptions = { description: 'PENDING until it is decided; visitors see APPROVED entries.' };

export const GuestBookEntry = Type.Object(
  {
    id: Id,
    name: nullable(Type.String({ description: 'Name that the visitor entered.' })),
    message: nullable(
      Type.String({ description: 'Plain text; null in a list if it failed its integrity check.' }),
    ),
    status: stringEnum(GUEST_BOOK_ENTRY_STATES, statusOptions),
    decidedAt: nullable(Type.String({ format: 'date-time', description: 'Time of the last decision.' })),
    createdAt: Timestamp,
  },
  { $id: 'GuestBookEntry' },
);

export const GuestBook = createNamedPageSchema(GuestBookEntry, 'GuestBook');

export const GuestBookQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(repeatable(stringEnum(GUEST_BOOK_ENTRY_STATES), 'Any of these statuses.')),
  deleted: Type.Optional(
    Type.Boolean({
      description:
        'Lists deleted entries that can be restored, in place of the others; the last deleted first.',
    }),
  ),
});

export const GuestBookEntryDecision = Type.Object({
  status: stringEnum(['APPROVED', 'HIDDEN'], { description: 'APPROVED: visible to visitors.' }),
});
