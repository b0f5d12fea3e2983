import type { Db, Tx } from '../../platform/database.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import type { ConversationSide } from './conversation-token.ts';

/** A message as the table holds it. */
export type MessageRow = Awaited<ReturnType<typeof listMessages>>[number];

/** A message as it is to be stored. */
export interface NewMessageRow {
  id: string;
  conversationId: string;
  ownerId: string;
  sender: ConversationSide;
  content: Buffer<ArrayBuffer>;
  createdAt: Date;
}

/** Adds a message. */
export async function insertMessage(tx: Tx, message: NewMessageRow): Promise<MessageRow> {
  return tx.conversationMessage.create({ data: message });
}

/** Messages of a conversation, newest first, after a place in that order; null is its beginning. */
export async function listMessages(db: Db, conversationId: string, after: TimeCursor | null, take: number) {
  const beyond = after && {
    OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }],
  };
  return db.conversationMessage.findMany({
    where: { conversationId, ...beyond },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take,
  });
}

/** A message of a conversation; null when there is none of this id. */
export async function findMessage(db: Db, conversationId: string, id: string): Promise<MessageRow | null> {
  return db.conversationMessage.findFirst({ where: { id, conversationId } });
}

/** The messages of these ids that are there, in no order. */
export async function findMessages(db: Db, ids: readonly string[]): Promise<MessageRow[]> {
  return db.conversationMessage.findMany({ where: { id: { in: [...ids] } } });
}

/**
 * Marks what one side wrote as read by the other, up to a message where one is given. Answers the last of those that were
 * not, or null.
 */
export async function markMessagesRead(
  tx: Tx,
  conversationId: string,
  sender: ConversationSide,
  upTo: MessageRow | null,
): Promise<{ id: string; ownerId: string } | null> {
  const within = upTo && {
    OR: [{ createdAt: { lt: upTo.createdAt } }, { createdAt: upTo.createdAt, id: { lte: upTo.id } }],
  };
  const marked = await tx.conversationMessage.updateManyAndReturn({
    where: { conversationId, sender, readAt: null, ...within },
    data: { readAt: new Date() },
    select: { id: true, ownerId: true, createdAt: true },
  });
  marked.sort((one, other) => +one.createdAt - +other.createdAt || (one.id < other.id ? -1 : 1));
  return marked.at(-1) ?? null;
}

/** Whether something that one side wrote is not read yet. */
export async function hasUnreadMessages(
  tx: Tx,
  conversationId: string,
  sender: ConversationSide,
): Promise<boolean> {
  const unread = { conversationId, sender, readAt: null };
  return (await tx.conversationMessage.findFirst({ where: unread, select: { id: true } })) !== null;
}

/** How many messages an owner has not read, by conversation; those without are left out. */
export async function countUnreadMessages(
  db: Db,
  ownerId: string,
  conversationIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.conversationMessage.groupBy({
    by: ['conversationId'],
    where: { ownerId, conversationId: { in: [...conversationIds] }, sender: 'FINDER', readAt: null },
    _count: true,
  });
  return new Map(rows.map(({ conversationId, _count }) => [conversationId, _count]));
}

/**
 * Of these conversations, the first message of each that its owner has not read; without those that no mail went out for
 * when it was decided on, unless that is being done now (`notificationIds`).
 */
export async function findFirstUnreadMessageIds(
  db: Db,
  conversationIds: readonly string[],
  notificationIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT ON (conversation_id) id FROM conversation_messages AS message
    WHERE conversation_id = ANY(${[...conversationIds]}) AND sender = 'FINDER' AND read_at IS NULL
      AND NOT EXISTS (
        SELECT FROM notifications AS told
        WHERE told.user_id = message.owner_id AND told.key = 'message:' || message.id AND told.due_at IS NULL
          AND told.id <> ALL(${[...notificationIds]}) AND NOT EXISTS (
            SELECT FROM notification_deliveries AS mail
            WHERE mail.notification_id = told.id AND mail.channel = 'EMAIL'
              AND mail.status IN ('WAITING', 'DELIVERED')))
    ORDER BY conversation_id, created_at, id`;
  return new Set(rows.map(({ id }) => id));
}
