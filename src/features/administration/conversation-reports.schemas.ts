import { Type } from 'typebox';
import { FREE_TEXT, Id, nullable, oneOf, ref, Timestamp } from '../../shared/common.schemas.ts';
import { PageQuery } from '../../shared/pagination.ts';
import { ConversationMessage } from '../conversations/conversations.schemas.ts';
import { LONGEST_NOTE, REPORT_REASONS, reportStatus } from '../conversations/report.schemas.ts';

/** What the administration can decide about a report. */
export const DECISIONS = ['DISMISSED', 'CONVERSATION_CLOSED', 'FINDER_BLOCKED'] as const;

export type Decision = (typeof DECISIONS)[number];

export const AdminReportQuery = Type.Object({ ...PageQuery.properties, status: Type.Optional(reportStatus) });

const report = {
  id: Id,
  conversationId: Id,
  qrCodeId: Id,
  ownerId: Id,
  reportedBy: oneOf(['FINDER', 'OWNER']),
  reason: oneOf(REPORT_REASONS),
  status: reportStatus,
  decision: nullable(oneOf(DECISIONS)),
  decidedAt: nullable(Timestamp),
  createdAt: Timestamp,
};

export const AdminReport = Type.Object(report, {
  $id: 'AdminReport',
  description: 'A conversation that one of its sides reported, without a word of it.',
});

export const AdminReportDetails = Type.Object(
  {
    ...report,
    note: nullable(Type.String({ description: 'What the side that reported it says.' })),
    decisionNote: nullable(Type.String()),
    conversation: Type.Object({
      status: oneOf(['OPEN', 'ENDED']),
      endedBy: nullable(oneOf(['FINDER', 'OWNER', 'ADMINISTRATION'])),
      createdAt: Timestamp,
      lastMessageAt: Timestamp,
    }),
    messages: Type.Array(ref(ConversationMessage), { description: 'The last 200, newest first.' }),
  },
  {
    $id: 'AdminReportDetails',
    description: 'A report with what was written, and without the contact of either side.',
  },
);

export const ReportDecision = Type.Object({
  decision: oneOf(DECISIONS, {
    description:
      'CONVERSATION_CLOSED: nobody writes in it any more. FINDER_BLOCKED: the same, and this finder begins no other with this owner; only of what the owner reported, else 400.',
  }),
  note: Type.Optional(nullable(Type.String({ maxLength: LONGEST_NOTE, pattern: FREE_TEXT }))),
});
