import { Type } from 'typebox';
import { Id, nullable, schemaRef, Timestamp } from '../../shared/common.schemas.ts';
import { MemoryTagItem } from './memory-tags.schemas.ts';

export const NewCaretaker = Type.Object({
  email: Type.String({
    maxLength: 254,
    description: 'The address of an account of the service, or of none.',
  }),
});

/** Nothing of it tells whether the address has an account. */
export const Caretaker = Type.Object(
  { id: Id, email: Type.String(), createdAt: Timestamp },
  { $id: 'Caretaker' },
);

export const CaredFor = Type.Object(
  {
    memoryTag: schemaRef(MemoryTagItem),
    ownerName: nullable(Type.String({ description: 'Who asks for help, by name.' })),
    since: Timestamp,
  },
  { $id: 'CaredFor' },
);
