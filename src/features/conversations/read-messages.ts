import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { publish } from '../../platform/realtime/publish.ts';
import { userStream } from '../../platform/realtime/streams.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { cursorAnswer } from '../../shared/pagination.ts';
import { readTimeCursor, writeTimeCursor } from '../../shared/time-cursor.ts';
import { type ConversationRow, findConversation } from './conversation.repository.ts';
import { messageView } from './conversation.view.ts';
import type { ConversationServices } from './conversation-services.ts';
import type { Side } from './conversation-token.ts';
import { listMessages, type MessageRow, markMessagesRead } from './message.repository.ts';
import { publishToSides } from './publish-to-sides.ts';

/** Who reads which conversation. */
interface Reading {
  conversation: Pick<ConversationRow, 'id' | 'endedAt'>;
  reader: Side;
  /** Whether nobody reads it who could tell: then nothing counts as read. */
  isLook?: boolean;
}

/**
 * A page of the messages of a conversation, newest first, for one of its sides; what the other wrote is read from then on.
 * Throws VALIDATION_FAILED for a cursor that is none, DATA_INTEGRITY.
 */
export async function readMessages(
  { database, vault }: Pick<ConversationServices, 'database' | 'vault'>,
  caller: Caller,
  { conversation, reader, isLook = false }: Reading,
  query: { limit: number; cursor?: string | undefined },
  locale: Locale,
) {
  const { id: conversationId, endedAt } = conversation;
  const { limit, cursor } = query;
  const after = cursor === undefined ? null : readTimeCursor(cursor);
  const rows = await database.transaction(async (tx) => {
    if (!isLook) await markRead(tx, caller, { conversationId, reader }, null);
    return listMessages(tx, conversationId, after, limit + 1);
  });
  return cursorAnswer(
    rows,
    limit,
    (row) => messageView(vault, readBefore(reader === 'FINDER' ? endedAt : null, row), locale),
    ({ createdAt: at, id }) => writeTimeCursor({ at, id }),
  );
}

/** A message as if it was not read after a time: a finder who was blocked is not to see when the owner looks. */
function readBefore(end: Date | null, row: MessageRow): MessageRow {
  return end && row.readAt && row.readAt > end ? { ...row, readAt: null } : row;
}

/** Marks what the other side wrote as read, up to a message where one is given, and has both sides hear of it. */
export async function markRead(
  tx: Tx,
  caller: Caller,
  { conversationId, reader }: { conversationId: string; reader: Side },
  upTo: MessageRow | null,
): Promise<void> {
  const last = await markMessagesRead(tx, conversationId, reader === 'OWNER' ? 'FINDER' : 'OWNER', upTo);
  if (!last) return;
  await recordAction(tx, caller, { action: 'CONVERSATION_READ', resourceId: conversationId });
  const data = { conversationId, by: reader, upTo: last.id };
  // As `readBefore` says.
  const isOpen = (await findConversation(tx, conversationId))?.status === 'OPEN';
  if (isOpen || reader === 'FINDER')
    await publishToSides(tx, { id: conversationId, ownerId: last.ownerId }, 'message.read', data);
  else await publish(tx, { stream: userStream(last.ownerId), event: 'message.read', data });
}
