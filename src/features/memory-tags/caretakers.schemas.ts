import { Type } from 'typebox';
import { Id, nullable, schemaRef, Timestamp } from '../../shared/common.schemas.ts';
import { MemoryTagItem } from './memory-tags.schemas.ts';

export const NewCaretaker = Type.Object({
  email: Type.String({
    maxLength: 254,
    format: 'email',
    description: 'Email address, with or without an account.',
  }),
});

// No field may reveal whether the address has an account.
export const Caretaker = Type.Object(
  { id: Id, email: Type.String(), createdAt: Timestamp },
  { $id: 'Caretaker' },
);

export const CaredFor = Type.Object(
  {
    memoryTag: schemaRef(MemoryTagItem),
    ownerName: nullable(Type.String({ description: 'Name of the owner.' })),
    since: Timestamp,
  },
  { $id: 'CaredFor' },
);
