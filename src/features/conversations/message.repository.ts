import type { Db, Tx } from '../../platform/database.ts';
import { querySql } from '../../platform/sql.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import type { ConversationKey } from './conversation.repository.ts';
import type { ConversationSide } from './conversation-token.ts';

export type MessageRow = Awaited<ReturnType<typeof listMessages>>[number];

export interface NewMessageRow {
  id: string;
  conversationId: string;
  accountId: string;
  sender: ConversationSide;
  content: Buffer<ArrayBuffer>;
  createdAt: Date;
  /** Later than the one that the conversation began with. */
  scanId: string | null;
}

export async function insertMessage(tx: Tx, message: NewMessageRow): Promise<MessageRow> {
  return tx.conversationMessage.create({ data: message });
}

export async function listMessages(
  db: Db,
  { id: conversationId, accountId }: ConversationKey,
  after: TimeCursor | null,
  take: number,
) {
  const afterCursor = after && {
    OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }],
  };
  return db.conversationMessage.findMany({
    where: { accountId, conversationId, ...afterCursor },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take,
  });
}

export async function findMessage(
  db: Db,
  { id: conversationId, accountId }: ConversationKey,
  id: string,
): Promise<MessageRow | null> {
  return db.conversationMessage.findFirst({ where: { id, conversationId, accountId } });
}

export async function isAboutMedicalCode(db: Db, { id, accountId }: ConversationKey): Promise<boolean> {
  return (await db.conversation.count({ where: { id, accountId, qrCode: { kind: 'MEDICAL' } } })) > 0;
}

export async function findMessagesByIds(db: Db, ids: readonly string[]): Promise<MessageRow[]> {
  return db.conversationMessage.findMany({ where: { id: { in: [...ids] } } });
}

/** Mark messages of a sender as read, up to `upTo` if set. Returns the newest message that was unread, or null. */
export async function markMessagesRead(
  tx: Tx,
  { id: conversationId, accountId }: ConversationKey,
  sender: ConversationSide,
  upTo: MessageRow | null,
): Promise<{ id: string; accountId: string } | null> {
  const upToFilter = upTo && {
    OR: [{ createdAt: { lt: upTo.createdAt } }, { createdAt: upTo.createdAt, id: { lte: upTo.id } }],
  };
  const marked = await tx.conversationMessage.updateManyAndReturn({
    where: { accountId, conversationId, sender, readAt: null, ...upToFilter },
    data: { readAt: new Date() },
    select: { id: true, accountId: true, createdAt: true },
  });
  marked.sort((one, other) => +one.createdAt - +other.createdAt || (one.id < other.id ? -1 : 1));
  return marked.at(-1) ?? null;
}

/** Find when a message of a sender was last read. */
export async function findLastReadAt(
  db: Db,
  { id: conversationId, accountId }: ConversationKey,
  sender: ConversationSide,
): Promise<Date | null> {
  const { _max } = await db.conversationMessage.aggregate({
    where: { accountId, conversationId, sender },
    _max: { readAt: true },
  });
  return _max.readAt;
}

export async function hasUnreadMessages(
  tx: Tx,
  { id: conversationId, accountId }: ConversationKey,
  sender: ConversationSide,
): Promise<boolean> {
  const unread = { accountId, conversationId, sender, readAt: null };
  return (await tx.conversationMessage.findFirst({ where: unread, select: { id: true } })) !== null;
}

/** Count the owner's unread messages by conversation; conversations without any are missing. */
export async function countUnreadMessagesByConversation(
  db: Db,
  accountId: string,
  conversationIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.conversationMessage.groupBy({
    by: ['conversationId'],
    where: { accountId, conversationId: { in: [...conversationIds] }, sender: 'FINDER', readAt: null },
    _count: true,
  });
  return new Map(rows.map(({ conversationId, _count }) => [conversationId, _count]));
}

/** Count the conversations that have unread messages for their owner, except those that are done. */
export async function countConversationsWithUnreadMessages(db: Db, accountId: string): Promise<number> {
  const [row] = await querySql<{ count: number }>(db)`
    SELECT count(DISTINCT conversation_id)::int AS count
    FROM conversation_messages AS message
    JOIN conversations AS conversation ON conversation.account_id = message.account_id AND conversation.id = conversation_id
    WHERE message.account_id = ${accountId} AND sender = 'FINDER' AND read_at IS NULL AND expires_at > now()
      AND done_at IS NULL AND ended_by IS DISTINCT FROM 'OWNER'`;
  return row?.count ?? 0;
}

/**
 * Find the first unread message of each conversation. It does not count if its notification is already decided and no mail
 * was sent, unless the notification is being decided now (`notificationIds`).
 */
export async function findFirstUnreadMessages(
  db: Db,
  threads: readonly { userId: string; conversationId: string }[],
  notificationIds: readonly string[],
): Promise<{ userId: string; messageId: string }[]> {
  return querySql<{ userId: string; messageId: string }>(db)`
    SELECT DISTINCT ON (thread.user_id, conversation_id) thread.user_id AS "userId", message.id AS "messageId"
    FROM unnest(${threads.map(({ userId }) => userId)}::text[], ${threads.map(({ conversationId }) => conversationId)}::text[])
           AS thread (user_id, conversation_id)
    JOIN conversation_messages AS message USING (conversation_id)
    WHERE sender = 'FINDER' AND read_at IS NULL
      AND NOT EXISTS (
        SELECT FROM notifications AS notification
        WHERE notification.user_id = thread.user_id AND notification.key = 'message:' || message.id AND notification.due_at IS NULL
          AND notification.id <> ALL(${[...notificationIds]}) AND NOT EXISTS (
            SELECT FROM notification_deliveries AS mail
            WHERE mail.notification_id = notification.id AND mail.channel = 'EMAIL'
              AND mail.status IN ('WAITING', 'DELIVERED')))
    ORDER BY thread.user_id, conversation_id, created_at, message.id`;
}
