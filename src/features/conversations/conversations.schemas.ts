import { Type } from 'typebox';
import {
  FREE_TEXT_PATTERN,
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  schemaRef,
  stringEnum,
  Timestamp,
} from '../../shared/common.schemas.ts';
import { ID_PATTERN } from '../../shared/ids.ts';
import { CursorParam, createCursorPageSchema, PageQuery } from '../../shared/pagination.ts';
import { MESSAGE_PRESETS } from './presets.rules.ts';

/** Characters of a message, at most. */
export const MAX_MESSAGE_CHARACTERS = 1_000;

const CONVERSATION_SIDES = ['FINDER', 'OWNER'] as const;

/** Who can have ended a conversation. */
export const CONVERSATION_ENDERS = [...CONVERSATION_SIDES, 'ADMINISTRATION'] as const;
const CONTACT_KINDS = ['EMAIL', 'PHONE'] as const;

const MessageText = Type.String({
  minLength: 1,
  maxLength: MAX_MESSAGE_CHARACTERS,
  pattern: FREE_TEXT_PATTERN,
  description: 'Plain text. May be left out where a preset is given.',
});
const PresetName = stringEnum(MESSAGE_PRESETS, {
  description:
    'A ready sentence that fits the kind of the code, which each side reads in their own language. A message may follow it; ' +
    'after one that ends where a place is to follow (IS_AT, AM_AT, HANDED_IN) it must.',
});
const messageProperties = {
  message: Type.Optional(nullable(MessageText)),
  preset: Type.Optional(nullable(PresetName)),
};

const FinderName = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: NON_BLANK_LINE_PATTERN,
  description: 'What the finder wants to be called.',
});

export const NewConversationRequest = Type.Object({
  scanId: Type.Optional(Id),
  qrCodeId: Type.Optional(
    Type.String({
      pattern: ID_PATTERN,
      description: 'In place of `scanId`, for a code that is paused or expired: no scan of it can be made.',
    }),
  ),
  ...messageProperties,
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

export const NewMessageRequest = Type.Object(messageProperties);

export const MessageCheckRequest = Type.Object({
  message: MessageText,
  name: Type.Optional(nullable(FinderName)),
});

export const ConversationTokenHeader = Type.Object({
  'x-conversation-token': Type.Optional(
    Type.String({ maxLength: 200, description: 'The `conversationToken` of the conversation.' }),
  ),
});

const ContactWarnings = Type.Array(stringEnum(CONTACT_KINDS), {
  description:
    'Contacts that the message or the name seems to show. Ask for them before it is sent, by …/check.',
});

export const MessageCheckResponse = Type.Object({ warnings: ContactWarnings }, { $id: 'MessageCheck' });

export const ConversationMessage = Type.Object(
  {
    id: Id,
    from: stringEnum(CONVERSATION_SIDES),
    preset: nullable(PresetName),
    message: Type.String({ description: 'The ready sentence in the language of the reader, and the text.' }),
    sentAt: Timestamp,
    readAt: nullable(Type.String({ format: 'date-time', description: 'When the other side read it.' })),
  },
  { $id: 'ConversationMessage' },
);

export const ConversationMessageList = createCursorPageSchema(ConversationMessage, 'ConversationMessageList');

export const MessageListQuery = Type.Object({ limit: PageQuery.properties.limit, cursor: CursorParam });

const conversationStatus = stringEnum(['OPEN', 'ENDED'], {
  description: 'ENDED: nobody can write in it any more.',
});

export const FinderConversation = Type.Object(
  {
    id: Id,
    status: conversationStatus,
    conversationToken: Type.String({ description: 'Opens the conversation, as long as it is there.' }),
    url: Type.String({ description: 'Its page, for the finder alone.' }),
    message: schemaRef(ConversationMessage),
    warnings: ContactWarnings,
    expiresAt: Timestamp,
  },
  { $id: 'FinderConversation' },
);

export const ConversationSchema = Type.Object(
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
    status: conversationStatus,
    endedBy: nullable(stringEnum(CONVERSATION_ENDERS)),
    isBlocked: Type.Boolean({ description: 'Whether this finder can begin another one.' }),
    report: nullable(
      stringEnum(['OPEN', 'DECIDED'], { description: 'Of the report that you made; null without one.' }),
    ),
    unread: Type.Integer(),
    lastMessageAt: Timestamp,
    expiresAt: Timestamp,
    createdAt: Timestamp,
  },
  { $id: 'Conversation' },
);

export const ConversationList = createCursorPageSchema(ConversationSchema, 'ConversationList');

export const ConversationListQuery = Type.Object({
  ...PageQuery.properties,
  cursor: CursorParam,
  qrCodeId: Type.Optional(Id),
  status: Type.Optional(conversationStatus),
});

export const ConversationEndResponse = Type.Object(
  { id: Id, status: conversationStatus },
  { $id: 'ConversationEnd' },
);
