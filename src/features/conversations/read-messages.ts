import { recordAuditEntry } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import {
  type ConversationKey,
  type ConversationRow,
  findConversation,
  markConversationChanged,
} from './conversation.repository.ts';
import type { ConversationSide } from './conversation-token.ts';
import { findMessage, listMessages, type MessageRow, markMessagesRead } from './message.repository.ts';
import { publishToConversationOwner, publishToConversationParticipants } from './publish-to-participants.ts';

/** List the messages that a side sees after a cursor, newest first. */
export async function listMessagesForSide(
  db: Db,
  {
    conversation,
    reader,
  }: { conversation: Pick<ConversationRow, 'id' | 'accountId' | 'endedAt'>; reader: ConversationSide },
  { after, take }: { after: TimeCursor | null; take: number },
): Promise<MessageRow[]> {
  const rows = await listMessages(db, conversation, after, take);
  return rows.map((row) => hideReadAtAfter(reader === 'FINDER' ? conversation.endedAt : null, row));
}

// A blocked finder must not see when the owner reads later.
function hideReadAtAfter(end: Date | null, row: MessageRow): MessageRow {
  return end && row.readAt && row.readAt > end ? { ...row, readAt: null } : row;
}

/**
 * Mark messages of the other side as read, up to the message `upTo` if set, and publish it. Both sides get the event,
 * but only the owner if the owner reads a conversation that has ended.
 * @throws NOT_FOUND for a message that is not in the conversation
 */
export async function markMessagesReadBySide(
  tx: Tx,
  context: RequestContext,
  {
    conversation,
    reader,
    upTo: id,
  }: { conversation: ConversationKey; reader: ConversationSide; upTo?: string | undefined },
): Promise<void> {
  const { id: conversationId, accountId } = conversation;
  const upTo = id === undefined ? null : await findMessage(tx, conversation, id);
  if (id !== undefined && !upTo) throw new ServiceError('NOT_FOUND');
  const last = await markMessagesRead(tx, conversation, reader === 'OWNER' ? 'FINDER' : 'OWNER', upTo);
  if (!last) return;
  if (reader === 'OWNER') await markConversationChanged(tx, conversation);
  await recordAuditEntry(tx, context, { action: 'CONVERSATION_READ', resourceId: conversationId });
  const data = { conversationId, by: reader, upTo: last.id };
  // As in `hideReadAtAfter`.
  const isOpen = (await findConversation(tx, conversationId))?.status === 'OPEN';
  if (isOpen || reader === 'FINDER')
    await publishToConversationParticipants(tx, { id: conversationId, accountId }, 'message.read', data);
  else await publishToConversationOwner(tx, accountId, 'message.read', data);
}
