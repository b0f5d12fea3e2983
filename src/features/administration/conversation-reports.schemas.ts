import { Type } from 'typebox';
import {
  ACCOUNT_FIELDS,
  FREE_TEXT_PATTERN,
  Id,
  nullable,
  repeatable,
  schemaRef,
  stringEnum,
  Timestamp,
} from '../../shared/common.schemas.ts';
import { PageQuery } from '../../shared/pagination.ts';
import {
  CONVERSATION_REPORT_CATEGORIES,
  ConversationMessage,
  ConversationReportStatus,
  MAX_CONVERSATION_REPORT_NOTE_CHARACTERS,
} from '../conversations/index.ts';

export const CONVERSATION_REPORT_DECISIONS = ['DISMISSED', 'CONVERSATION_CLOSED', 'FINDER_BLOCKED'] as const;

export type ConversationReportDecision = (typeof CONVERSATION_REPORT_DECISIONS)[number];

/** The newest messages of a reported conversation that are returned. */
export const MAX_REPORT_MESSAGES = 200;

export const AdminConversationReportQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(repeatable(ConversationReportStatus, 'Any of these statuses.')),
});

const reportProperties = {
  id: Id,
  conversationId: Id,
  qrCodeId: Id,
  ...ACCOUNT_FIELDS,
  reportedBy: stringEnum(['FINDER', 'OWNER']),
  category: stringEnum(CONVERSATION_REPORT_CATEGORIES),
  status: ConversationReportStatus,
  decision: nullable(stringEnum(CONVERSATION_REPORT_DECISIONS)),
  decidedAt: nullable(Timestamp),
  createdAt: Timestamp,
};

export const AdminReport = Type.Object(reportProperties, {
  $id: 'AdminReport',
  description: 'A report of a conversation, without messages.',
});

export const AdminReportDetails = Type.Object(
  {
    ...reportProperties,
    note: nullable(Type.String({ description: 'Note of the reporting side.' })),
    decisionNote: nullable(Type.String()),
    conversation: Type.Object({
      status: stringEnum(['OPEN', 'ENDED']),
      endedBy: nullable(stringEnum(['FINDER', 'OWNER', 'ADMINISTRATION'])),
      createdAt: Timestamp,
      lastMessageAt: Timestamp,
    }),
    messages: Type.Array(schemaRef(ConversationMessage), { description: 'The last 200, newest first.' }),
  },
  {
    $id: 'AdminReportDetails',
    description: 'A report with the messages of the conversation, without contact data of either side.',
  },
);

export const ConversationReportDecisionRequest = Type.Object({
  decision: stringEnum(CONVERSATION_REPORT_DECISIONS, {
    description:
      'CONVERSATION_CLOSED ends the conversation. FINDER_BLOCKED also prevents new conversations of this finder with this owner; 400 for a report of the finder.',
  }),
  note: Type.Optional(
    nullable(Type.String({ maxLength: MAX_CONVERSATION_REPORT_NOTE_CHARACTERS, pattern: FREE_TEXT_PATTERN })),
  ),
});
