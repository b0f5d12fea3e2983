import type { Static } from 'typebox';
import { REPORT_REASONS, type ReportWithConversation } from '../conversations/index.ts';
import {
  type AdminReport,
  type AdminReportDetails,
  REPORT_DECISIONS,
} from './conversation-reports.schemas.ts';

export function toAdminReportView(row: ReportWithConversation): Static<typeof AdminReport> {
  return {
    id: row.id,
    conversationId: row.conversationId,
    qrCodeId: row.conversation.qrCodeId,
    ownerId: row.ownerId,
    reportedBy: row.side === 'OWNER' ? 'OWNER' : 'FINDER',
    reason: REPORT_REASONS.find((reason) => reason === row.reason) ?? 'OTHER',
    status: row.decision === null ? 'OPEN' : 'DECIDED',
    decision: REPORT_DECISIONS.find((decision) => decision === row.decision) ?? null,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

export function toReportedConversationView({
  conversation,
}: ReportWithConversation): Static<typeof AdminReportDetails>['conversation'] {
  const { status, endedBy, createdAt, lastMessageAt } = conversation;
  const sides = ['FINDER', 'OWNER', 'ADMINISTRATION'] as const;
  return {
    status: status === 'OPEN' ? 'OPEN' : 'ENDED',
    endedBy: sides.find((side) => side === endedBy) ?? null,
    createdAt: createdAt.toISOString(),
    lastMessageAt: lastMessageAt.toISOString(),
  };
}
