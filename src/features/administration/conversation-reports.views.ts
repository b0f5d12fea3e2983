import type { Static } from 'typebox';
import { toAccountFields } from '../../shared/common.schemas.ts';
import { CONVERSATION_REPORT_CATEGORIES, type ReportWithConversation } from '../conversations/index.ts';
import {
  type AdminReport,
  type AdminReportDetails,
  CONVERSATION_REPORT_DECISIONS,
} from './conversation-reports.schemas.ts';
import { toDecisionView } from './decisions.ts';

export function toAdminConversationReportView(row: ReportWithConversation): Static<typeof AdminReport> {
  return {
    id: row.id,
    conversationId: row.conversationId,
    qrCodeId: row.conversation.qrCodeId,
    ...toAccountFields(row.accountId),
    reportedBy: row.side === 'OWNER' ? 'OWNER' : 'FINDER',
    category: CONVERSATION_REPORT_CATEGORIES.find((category) => category === row.category) ?? 'OTHER',
    decision: CONVERSATION_REPORT_DECISIONS.find((decision) => decision === row.decision) ?? null,
    ...toDecisionView(row),
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
