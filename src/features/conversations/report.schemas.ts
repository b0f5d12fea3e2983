import { Type } from 'typebox';
import { FREE_TEXT_PATTERN, Id, nullable, stringEnum, Timestamp } from '../../shared/common.schemas.ts';

export const REPORT_REASONS = ['SPAM', 'THREAT', 'HARASSMENT', 'FRAUD', 'OTHER'] as const;

export type ReportReason = (typeof REPORT_REASONS)[number];

export const MAX_REPORT_NOTE_CHARACTERS = 500;

export const ReportRequest = Type.Object({
  reason: stringEnum(REPORT_REASONS),
  note: Type.Optional(
    nullable(Type.String({ maxLength: MAX_REPORT_NOTE_CHARACTERS, pattern: FREE_TEXT_PATTERN })),
  ),
});

export const ReportStatus = stringEnum(['OPEN', 'DECIDED'], {
  description: 'OPEN until the administration decides.',
});

export const ConversationReport = Type.Object(
  {
    id: Id,
    conversationId: Id,
    reason: stringEnum(REPORT_REASONS),
    status: ReportStatus,
    createdAt: Timestamp,
  },
  {
    $id: 'ConversationReport',
    description: 'A report as its author sees it. The other side is not notified.',
  },
);
