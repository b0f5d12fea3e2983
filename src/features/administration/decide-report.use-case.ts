import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import {
  endConversation,
  findConversationReport,
  lockConversationReport,
  markConversationChanged,
  markFinderConversationsChanged,
  REPORT_DECISION_NOTE,
  type ReportWithConversation,
  saveConversationReportDecision,
} from '../conversations/index.ts';
import { insertFinderBlock } from '../scans/index.ts';
import type { ConversationReportDecision } from './conversation-reports.schemas.ts';

/**
 * Decide a report and apply the decision to its conversation, each with an audit entry.
 * @throws NOT_FOUND, REPORT_ALREADY_DECIDED
 * @throws VALIDATION_FAILED if the decision would block the finder who reported
 */
export function decideConversationReport(
  { database, fieldCipher }: { database: Database; fieldCipher: FieldCipher },
  context: RequestContext,
  id: string,
  { decision, note }: { decision: ConversationReportDecision; note?: string | null | undefined },
): Promise<ReportWithConversation> {
  return database.transaction(async (tx) => {
    const report = await lockConversationReport(tx, id);
    if (!report) throw new ServiceError('NOT_FOUND');
    const { accountId, conversation } = report;
    if (decision === 'FINDER_BLOCKED' && report.side === 'FINDER')
      throw createValidationError({
        field: 'decision',
        code: 'NOT_ALLOWED',
        message: 'Cannot block the finder who reported: close the conversation or dismiss the report.',
      });
    const decisionNote = REPORT_DECISION_NOTE.encrypt(
      fieldCipher,
      { id, accountId },
      note?.normalize('NFC').trim() || null,
    );
    if (!(await saveConversationReportDecision(tx, id, { decision, decisionNote })))
      throw new ServiceError('REPORT_ALREADY_DECIDED');
    await markConversationChanged(tx, conversation);
    await recordAuditEntry(tx, context, { resourceId: id, changes: [decision] });
    const recordEffect = (action: 'CONVERSATION_ENDED' | 'FINDER_BLOCKED') =>
      recordAuditEntry(tx, context, { action, resourceType: 'CONVERSATION', resourceId: conversation.id });
    const endedConversation = { id: conversation.id, accountId };
    if (decision !== 'DISMISSED' && (await endConversation(tx, endedConversation, 'ADMINISTRATION')))
      await recordEffect('CONVERSATION_ENDED');
    if (decision === 'FINDER_BLOCKED' && (await insertFinderBlock(tx, accountId, conversation.finderHash))) {
      await markFinderConversationsChanged(tx, conversation);
      await recordEffect('FINDER_BLOCKED');
    }
    return (await findConversationReport(tx, id)) ?? report;
  });
}
