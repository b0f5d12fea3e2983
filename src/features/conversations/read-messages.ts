import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import { publishRealtimeEvents } from '../../platform/realtime/publish-events.ts';
import { getUserStreamName } from '../../platform/realtime/streams.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import {
  type ConversationRow,
  findConversation,
  markConversationChanged,
} from './conversation.repository.ts';
import type { ConversationServices } from './conversation-services.ts';
import type { ConversationSide } from './conversation-token.ts';
import { listMessages, type MessageRow, markMessagesRead } from './message.repository.ts';
import { publishToConversationParticipants } from './publish-to-participants.ts';

interface ReadMessagesInput {
  conversation: Pick<ConversationRow, 'id' | 'endedAt'>;
  reader: ConversationSide;
  /** Nothing is marked as read. */
  isPeek?: boolean;
}

/**
 * Read messages after a cursor, newest first, and mark those of the other side as read.
 */
export async function listMessagesAndMarkRead(
  { database }: Pick<ConversationServices, 'database'>,
  context: RequestContext,
  { conversation, reader, isPeek = false }: ReadMessagesInput,
  { after, take }: { after: TimeCursor | null; take: number },
): Promise<MessageRow[]> {
  const { id: conversationId, endedAt } = conversation;
  const rows = await database.transaction(async (tx) => {
    if (!isPeek) await markConversationRead(tx, context, { conversationId, reader }, null);
    return listMessages(tx, conversationId, after, take);
  });
  return rows.map((row) => hideReadAtAfter(reader === 'FINDER' ? endedAt : null, row));
}

// A blocked finder must not see when the owner reads later.
function hideReadAtAfter(end: Date | null, row: MessageRow): MessageRow {
  return end && row.readAt && row.readAt > end ? { ...row, readAt: null } : row;
}

/**
 * Mark messages of the other side as read, up to `upTo` if set, and publish it. Both sides get the event, but only the
 * owner if the owner reads a conversation that has ended.
 */
export async function markConversationRead(
  tx: Tx,
  context: RequestContext,
  { conversationId, reader }: { conversationId: string; reader: ConversationSide },
  upTo: MessageRow | null,
): Promise<void> {
  const last = await markMessagesRead(tx, conversationId, reader === 'OWNER' ? 'FINDER' : 'OWNER', upTo);
  if (!last) return;
  if (reader === 'OWNER') await markConversationChanged(tx, conversationId);
  await recordAuditEntry(tx, context, { action: 'CONVERSATION_READ', resourceId: conversationId });
  const data = { conversationId, by: reader, upTo: last.id };
  // As in `hideReadAtAfter`.
  const isOpen = (await findConversation(tx, conversationId))?.status === 'OPEN';
  if (isOpen || reader === 'FINDER')
    await publishToConversationParticipants(
      tx,
      { id: conversationId, ownerId: last.ownerId },
      'message.read',
      data,
    );
  else
    await publishRealtimeEvents(tx, { stream: getUserStreamName(last.ownerId), event: 'message.read', data });
}
