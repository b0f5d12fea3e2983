import { Type } from 'typebox';
import { FILLED_LINE, FREE_TEXT, Id, nullable, oneOf, ref, Timestamp } from '../../shared/common.schemas.ts';
import { ID_PATTERN } from '../../shared/ids.ts';
import { Cursor, cursorPageOf, PageQuery } from '../../shared/pagination.ts';
import { PRESETS } from './presets.rules.ts';

/** Characters of a message, at most. */
export const LONGEST_MESSAGE = 1_000;

const SIDES = ['FINDER', 'OWNER'] as const;

/** Who can have ended a conversation. */
export const ENDED_BY = [...SIDES, 'ADMINISTRATION'] as const;
const CONTACTS = ['EMAIL', 'PHONE'] as const;

const Message = Type.String({
  minLength: 1,
  maxLength: LONGEST_MESSAGE,
  pattern: FREE_TEXT,
  description: 'Plain text. May be left out where a preset is given.',
});
const PresetName = oneOf(PRESETS, {
  description:
    'A ready sentence that fits the kind of the code, which each side reads in their own language. A message may follow it; ' +
    'after one that ends where a place is to follow (IS_AT, AM_AT, HANDED_IN) it must.',
});
const said = {
  message: Type.Optional(nullable(Message)),
  preset: Type.Optional(nullable(PresetName)),
};

const FinderName = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: FILLED_LINE,
  description: 'What the finder wants to be called.',
});

export const NewConversation = Type.Object({
  scanId: Type.Optional(Id),
  qrCodeId: Type.Optional(
    Type.String({
      pattern: ID_PATTERN,
      description: 'In place of `scanId`, for a code that is paused or expired: no scan of it can be made.',
    }),
  ),
  ...said,
  name: Type.Optional(nullable(FinderName)),
  email: Type.Optional(
    nullable(
      Type.String({
        maxLength: 254,
        description: 'Where the finder wants to hear of an answer. The owner never sees it.',
      }),
    ),
  ),
});

export const NewConversationMessage = Type.Object(said);

export const CheckedMessage = Type.Object({
  message: Message,
  name: Type.Optional(nullable(FinderName)),
});

export const ConversationTokenHeader = Type.Object({
  'x-conversation-token': Type.Optional(
    Type.String({ maxLength: 200, description: 'The `conversationToken` of the conversation.' }),
  ),
});

const Warnings = Type.Array(oneOf(CONTACTS), {
  description:
    'Contacts that the message or the name seems to show. Ask for them before it is sent, by …/check.',
});

export const MessageCheck = Type.Object({ warnings: Warnings }, { $id: 'MessageCheck' });

export const ConversationMessage = Type.Object(
  {
    id: Id,
    from: oneOf(SIDES),
    preset: nullable(PresetName),
    message: Type.String({ description: 'The ready sentence in the language of the reader, and the text.' }),
    sentAt: Timestamp,
    readAt: nullable(Type.String({ format: 'date-time', description: 'When the other side read it.' })),
  },
  { $id: 'ConversationMessage' },
);

export const ConversationMessageList = cursorPageOf(ConversationMessage, 'ConversationMessageList');

export const MessageListQuery = Type.Object({ limit: PageQuery.properties.limit, cursor: Cursor });

const status = oneOf(['OPEN', 'ENDED'], { description: 'ENDED: nobody can write in it any more.' });

export const FinderConversation = Type.Object(
  {
    id: Id,
    status,
    conversationToken: Type.String({ description: 'Opens the conversation, as long as it is there.' }),
    url: Type.String({ description: 'Its page, for the finder alone.' }),
    message: ref(ConversationMessage),
    warnings: Warnings,
    expiresAt: Timestamp,
  },
  { $id: 'FinderConversation' },
);

export const Conversation = Type.Object(
  {
    id: Id,
    qrCodeId: Id,
    scanId: nullable(
      Type.String({
        pattern: ID_PATTERN,
        description: 'The scan that it was begun from; null where the code was paused or expired.',
      }),
    ),
    title: Type.String({ description: 'Title of the code.' }),
    finderName: nullable(Type.String()),
    status,
    endedBy: nullable(oneOf(ENDED_BY)),
    isBlocked: Type.Boolean({ description: 'Whether this finder can begin another one.' }),
    report: nullable(
      oneOf(['OPEN', 'DECIDED'], { description: 'Of the report that you made; null without one.' }),
    ),
    unread: Type.Integer(),
    lastMessageAt: Timestamp,
    expiresAt: Timestamp,
    createdAt: Timestamp,
  },
  { $id: 'Conversation' },
);

export const ConversationList = cursorPageOf(Conversation, 'ConversationList');

export const ConversationListQuery = Type.Object({
  ...PageQuery.properties,
  cursor: Cursor,
  qrCodeId: Type.Optional(Id),
  status: Type.Optional(status),
});

export const ConversationEnd = Type.Object({ id: Id, status }, { $id: 'ConversationEnd' });
