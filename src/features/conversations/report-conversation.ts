import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import type { Vault } from '../../platform/vault.ts';
import { ServiceError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { lockConversation } from './conversation.repository.ts';
import { sealReportNote } from './conversation-content.ts';
import type { Side } from './conversation-token.ts';
import { findReportOf, insertReport, type ReportRow } from './report.repository.ts';
import type { ReportReason } from './report.schemas.ts';

/**
 * Reports a conversation to the administration for one of its sides, once: again is the first report, as it was made.
 * Throws NOT_FOUND for a conversation that is gone.
 */
export async function reportConversation(
  vault: Vault,
  caller: Caller,
  tx: Tx,
  { conversationId, side }: { conversationId: string; side: Side },
  said: { reason: ReportReason; note?: string | null | undefined },
): Promise<{ row: ReportRow; isNew: boolean }> {
  const conversation = await lockConversation(tx, conversationId);
  if (!conversation) throw new ServiceError('NOT_FOUND');
  const known = await findReportOf(tx, conversationId, side);
  if (known) return { row: known, isNew: false };
  const { ownerId } = conversation;
  const id = newId();
  const note = sealReportNote(vault, { id, ownerId }, said.note?.normalize('NFC').trim() || null);
  await insertReport(tx, { id, conversationId, ownerId, side, reason: said.reason, note });
  // Of the report and not of the conversation, whose owner reads what was done to it.
  await recordAction(tx, caller, { action: 'CONVERSATION_REPORTED', resourceId: id });
  const row = await findReportOf(tx, conversationId, side);
  if (!row) throw new ServiceError('NOT_FOUND');
  return { row, isNew: true };
}
