import { Type } from 'typebox';
import { FREE_TEXT_PATTERN, Id, nullable, stringEnum, Timestamp } from '../../shared/common.schemas.ts';

export const CONVERSATION_REPORT_CATEGORIES = ['SPAM', 'THREAT', 'HARASSMENT', 'FRAUD', 'OTHER'] as const;

export type ConversationReportCategory = (typeof CONVERSATION_REPORT_CATEGORIES)[number];

export const MAX_CONVERSATION_REPORT_NOTE_CHARACTERS = 500;

export const ConversationReportRequest = Type.Object({
  category: stringEnum(CONVERSATION_REPORT_CATEGORIES),
  note: Type.Optional(
    nullable(Type.String({ maxLength: MAX_CONVERSATION_REPORT_NOTE_CHARACTERS, pattern: FREE_TEXT_PATTERN })),
  ),
});

export const ConversationReportStatus = stringEnum(['OPEN', 'DECIDED'], {
  description: 'OPEN until the administration decides.',
});

export const ConversationReport = Type.Object(
  {
    id: Id,
    conversationId: Id,
    category: stringEnum(CONVERSATION_REPORT_CATEGORIES),
    status: ConversationReportStatus,
    createdAt: Timestamp,
  },
  {
    $id: 'ConversationReport',
    description: 'A report as its author sees it. The other side is not notified.',
  },
);
