import { recordAuditEntry } from '../../platform/audit.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { lockConversation, markConversationChanged } from './conversation.repository.ts';
import type { ConversationServices } from './conversation-services.ts';
import type { ConversationSide } from './conversation-token.ts';
import { REPORT_NOTE } from './encrypted-conversation-fields.ts';
import {
  type ConversationReportRow,
  findConversationReportBySide,
  insertConversationReport,
} from './report.repository.ts';
import type { ConversationReportCategory } from './report.schemas.ts';

/** Report a conversation to the administration. A repeat returns the existing report. @throws NOT_FOUND */
export async function reportConversation(
  { database, fieldCipher }: Pick<ConversationServices, 'database' | 'fieldCipher'>,
  context: RequestContext,
  { conversationId, side }: { conversationId: string; side: ConversationSide },
  input: { category: ConversationReportCategory; note?: string | null | undefined },
): Promise<{ row: ConversationReportRow; isNew: boolean }> {
  return database.transaction(async (tx) => {
    const conversation = await lockConversation(tx, conversationId);
    if (!conversation) throw new ServiceError('NOT_FOUND');
    const existing = await findConversationReportBySide(tx, conversation, side);
    if (existing) return { row: existing, isNew: false };
    const { accountId } = conversation;
    const id = generateId();
    const note = REPORT_NOTE.encrypt(
      fieldCipher,
      { id, accountId },
      input.note?.normalize('NFC').trim() || null,
    );
    await insertConversationReport(tx, {
      id,
      conversationId,
      accountId,
      side,
      category: input.category,
      note,
    });
    if (side === 'OWNER') await markConversationChanged(tx, conversation);
    // The audited resource is the report, because the owner can read the trail of the conversation.
    await recordAuditEntry(tx, context, { action: 'CONVERSATION_REPORTED', resourceId: id });
    const row = await findConversationReportBySide(tx, conversation, side);
    if (!row) throw new ServiceError('NOT_FOUND');
    return { row, isNew: true };
  });
}
