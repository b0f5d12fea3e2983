import { Type } from 'typebox';
import {
  FREE_TEXT_PATTERN,
  Id,
  nullable,
  Timestamp,
  VERSIONED_SCHEMA,
} from '../../../shared/common.schemas.ts';
import { ID_PATTERN } from '../../../shared/ids.ts';
import { createNamedPageSchema } from '../../../shared/pagination.ts';
import { MAX_MESSAGE_CHARACTERS } from '../conversations.schemas.ts';

export const MAX_NOTE_CHARACTERS = MAX_MESSAGE_CHARACTERS;

export const NoteInput = Type.Object({
  text: Type.String({
    minLength: 1,
    maxLength: MAX_NOTE_CHARACTERS,
    pattern: FREE_TEXT_PATTERN,
    description: 'Plain text.',
  }),
});

export const ConversationNote = Type.Object(
  {
    id: Id,
    text: nullable(Type.String({ description: 'Null if what is stored failed its integrity check.' })),
    authorId: nullable(
      Type.String({ pattern: ID_PATTERN, description: 'The user who wrote it; null once they are erased.' }),
    ),
    authorName: nullable(Type.String({ description: 'Their first and last name.' })),
    version: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  {
    $id: 'ConversationNote',
    description: 'A note beside a conversation, which the finder never sees.',
    ...VERSIONED_SCHEMA,
  },
);

export const ConversationNoteList = createNamedPageSchema(ConversationNote, 'ConversationNoteList');
