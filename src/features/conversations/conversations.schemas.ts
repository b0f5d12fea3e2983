import { Type } from 'typebox';
import {
  FREE_TEXT_PATTERN,
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  repeatable,
  schemaRef,
  stringEnum,
  Timestamp,
  VERSIONED_SCHEMA,
} from '../../shared/common.schemas.ts';
import { ID_PATTERN } from '../../shared/ids.ts';
import { UpdatedSince } from '../../shared/list-changes.schemas.ts';
import { CursorQuery, createNamedPageSchema, PageQuery } from '../../shared/pagination.ts';
import { createTimeRangeFilters } from '../../shared/time-filters.ts';
import { MESSAGE_PRESETS } from './presets.rules.ts';

export const MAX_MESSAGE_CHARACTERS = 1_000;

const CONVERSATION_SIDES = ['FINDER', 'OWNER'] as const;

export const CONVERSATION_ENDED_BY_VALUES = [...CONVERSATION_SIDES, 'ADMINISTRATION'] as const;
const CONTACT_KINDS = ['EMAIL', 'PHONE'] as const;

const MessageText = Type.String({
  minLength: 1,
  maxLength: MAX_MESSAGE_CHARACTERS,
  pattern: FREE_TEXT_PATTERN,
  description: 'Plain text. Optional if a preset is sent.',
});
export const MessagePreset = nullable(
  stringEnum(MESSAGE_PRESETS, {
    description:
      'A ready-made message for this kind of code. Each side reads it in their own language. ' +
      'A message may follow; it is required after a preset that asks for a place (IS_AT, AM_AT, HANDED_IN).',
  }),
);
const messageProperties = {
  message: Type.Optional(nullable(MessageText)),
  preset: Type.Optional(MessagePreset),
};

const FinderName = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: NON_BLANK_LINE_PATTERN,
  description: 'Name of the finder, shown to the owner.',
});

export const NewConversationRequest = Type.Object({
  scanId: Type.Optional(Id),
  qrCodeId: Type.Optional(
    Type.String({
      pattern: ID_PATTERN,
      description: 'Instead of `scanId`, for a code that is paused or expired and cannot be scanned.',
    }),
  ),
  ...messageProperties,
  name: Type.Optional(nullable(FinderName)),
  email: Type.Optional(
    nullable(
      Type.String({
        maxLength: 254,
        format: 'email',
        description: 'Address for notifications of replies. It is never shown to the owner.',
      }),
    ),
  ),
});

export const NewMessageRequest = Type.Object(messageProperties);

export const MessagesReadRequest = Type.Object({
  upTo: Type.Optional(
    Type.String({ pattern: ID_PATTERN, description: 'The last message to mark; all of them without it.' }),
  ),
});

export const READ_DESCRIPTION =
  'Reading the list does not mark anything. The other side gets the realtime event `message.read`, and no more emails about these messages.';

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
    'Contact details detected in the message or the name. Use …/check to detect them before sending.',
});

export const MessageCheckResponse = Type.Object({ warnings: ContactWarnings }, { $id: 'MessageCheck' });

export const ConversationMessage = Type.Object(
  {
    id: Id,
    from: stringEnum(CONVERSATION_SIDES),
    preset: MessagePreset,
    message: nullable(
      Type.String({
        description:
          "The preset in the reader's language, followed by the text. Null if what is stored failed its integrity check.",
      }),
    ),
    sentAt: Timestamp,
    readAt: nullable(Type.String({ format: 'date-time', description: 'When the other side read it.' })),
  },
  { $id: 'ConversationMessage' },
);

export const ConversationMessageList = createNamedPageSchema(ConversationMessage, 'ConversationMessageList');

export const MessageListQuery = CursorQuery;

const conversationStatus = stringEnum(['OPEN', 'ENDED'], {
  description: 'ENDED: messages can no longer be sent.',
});

export const FinderConversation = Type.Object(
  {
    id: Id,
    status: conversationStatus,
    conversationToken: Type.String({ description: 'Grants access to the conversation until it is deleted.' }),
    url: Type.String({ description: 'Page of the conversation for the finder.' }),
    message: schemaRef(ConversationMessage),
    warnings: ContactWarnings,
    expiresAt: Timestamp,
  },
  { $id: 'FinderConversation' },
);

export const MAX_SNIPPET_CHARACTERS = 120;

const LastMessage = nullable(
  Type.Object(
    {
      from: stringEnum(CONVERSATION_SIDES),
      message: nullable(
        Type.String({
          description: `On one line, cut after ${MAX_SNIPPET_CHARACTERS} characters; presets are in the language of your profile. Null for a medical code: list its messages.`,
        }),
      ),
      sentAt: Timestamp,
    },
    { description: 'The newest message.' },
  ),
);

const LastPlace = nullable(
  Type.Object(
    {
      city: nullable(Type.String()),
      region: nullable(Type.String()),
      country: nullable(Type.String({ description: 'ISO 3166-1 alpha-2.' })),
    },
    { description: 'Newest place of the scan; null if it is not known. Get the scan for exact positions.' },
  ),
);

export const ConversationSchema = Type.Object(
  {
    id: Id,
    qrCodeId: Id,
    scanId: nullable(
      Type.String({
        pattern: ID_PATTERN,
        description: 'Scan that the conversation started from; null for a paused or expired code.',
      }),
    ),
    title: Type.String({ description: 'Title of the code.' }),
    finderName: nullable(Type.String()),
    status: conversationStatus,
    endedBy: nullable(stringEnum(CONVERSATION_ENDED_BY_VALUES)),
    blocked: Type.Boolean({ description: 'Whether this finder is blocked from starting conversations.' }),
    done: Type.Boolean({
      description: 'Whether you marked it as done, or ended it. A message of the finder opens it again.',
    }),
    assigneeId: nullable(
      Type.String({ pattern: ID_PATTERN, description: 'The member of the organization who is to answer.' }),
    ),
    assigneeName: nullable(Type.String({ description: 'Their first and last name.' })),
    report: nullable(
      stringEnum(['OPEN', 'DECIDED'], { description: 'State of your report; null without one.' }),
    ),
    unread: Type.Integer(),
    version: Type.Integer(),
    lastMessage: LastMessage,
    lastPlace: LastPlace,
    lastMessageAt: Timestamp,
    expiresAt: Timestamp,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'Conversation', ...VERSIONED_SCHEMA },
);

export const ConversationChangeRequest = Type.Object({
  done: Type.Optional(Type.Boolean()),
  assigneeId: Type.Optional(
    nullable(
      Type.String({
        pattern: ID_PATTERN,
        description: 'One of GET /api/conversations/assignees, or null for nobody.',
      }),
    ),
  ),
});

export const AssigneeSchema = Type.Object(
  {
    userId: Id,
    name: nullable(Type.String({ description: 'First and last name; null before there is a profile.' })),
  },
  { $id: 'Assignee', description: 'A member of an organization who can answer finders.' },
);

export const ConversationListQuery = Type.Object({
  ...PageQuery.properties,
  qrCodeId: Type.Optional(Id),
  status: Type.Optional(repeatable(conversationStatus, 'Any of these statuses.')),
  done: Type.Optional(Type.Boolean({ description: 'Those that are done, or those that are not.' })),
  assignee: Type.Optional(
    Type.String({
      pattern: '^(?:me|none|[0-9a-f]{24})$',
      description: 'Who is to answer: `me`, `none`, or the id of a member.',
    }),
  ),
  ...createTimeRangeFilters('created', 'createdAt'),
  updatedSince: UpdatedSince,
});

export const ConversationEndResponse = Type.Object(
  { id: Id, status: conversationStatus },
  { $id: 'ConversationEnd' },
);
