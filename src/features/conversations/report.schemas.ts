import { Type } from 'typebox';
import { FREE_TEXT, Id, nullable, oneOf, Timestamp } from '../../shared/common.schemas.ts';

/** Why a conversation is reported. */
export const REPORT_REASONS = ['SPAM', 'THREAT', 'HARASSMENT', 'FRAUD', 'OTHER'] as const;

export type ReportReason = (typeof REPORT_REASONS)[number];

/** Characters of what is said about a report, at most. */
export const LONGEST_NOTE = 500;

export const NewReport = Type.Object({
  reason: oneOf(REPORT_REASONS),
  note: Type.Optional(nullable(Type.String({ maxLength: LONGEST_NOTE, pattern: FREE_TEXT }))),
});

export const reportStatus = oneOf(['OPEN', 'DECIDED'], {
  description: 'OPEN until the administration has decided.',
});

export const ConversationReport = Type.Object(
  {
    id: Id,
    conversationId: Id,
    reason: oneOf(REPORT_REASONS),
    status: reportStatus,
    createdAt: Timestamp,
  },
  {
    $id: 'ConversationReport',
    description: 'A report, as the side sees it that made it. The other side learns nothing of it.',
  },
);
