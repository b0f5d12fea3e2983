import type { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { createAfterFilter } from '../../platform/list-order.repository.ts';
import { executeSql, querySql } from '../../platform/sql.ts';
import type { ListRange } from '../../shared/list-cursor.ts';
import type { TimeRange } from '../../shared/time-filters.ts';
import type { ConversationSide } from './conversation-token.ts';

export type ConversationRow = NonNullable<Awaited<ReturnType<typeof findConversation>>>;

export type ConversationKey = Pick<ConversationRow, 'id' | 'accountId'>;

export interface NewConversationRow {
  id: string;
  qrCodeId: string;
  accountId: string;
  scanId: string;
  fromScan: boolean;
  finderHash: Buffer<ArrayBuffer>;
  finderName: Buffer<ArrayBuffer> | null;
  finderEmail: Buffer<ArrayBuffer> | null;
  finderLanguage: string;
  lastMessageAt: Date;
  expiresAt: Date;
}

const CONVERSATION_INCLUDE = {
  qrCode: { select: { title: true, kind: true } },
  assignee: { select: { firstName: true, lastName: true } },
};
const NEWEST_FIRST = [{ lastMessageAt: 'desc' }, { id: 'desc' }] as const;

/** Find an unexpired conversation with the title and kind of its code, and the name of who is to answer. */
export async function findConversation(db: Db, id: string) {
  return db.conversation.findFirst({
    where: { id, expiresAt: { gt: new Date() } },
    include: CONVERSATION_INCLUDE,
  });
}

export async function lockConversation(tx: Tx, id: string): Promise<ConversationRow | null> {
  await querySql(tx)`SELECT FROM conversations WHERE id = ${id} FOR NO KEY UPDATE`;
  return findConversation(tx, id);
}

export async function lockConversationByScan(tx: Tx, scanId: string): Promise<ConversationRow | null> {
  const [row] = await querySql<{ id: string }>(tx)`
    SELECT id FROM conversations WHERE scan_id = ${scanId} FOR NO KEY UPDATE`;
  return row ? findConversation(tx, row.id) : null;
}

export async function findUnexpiredConversationIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const where = { id: { in: [...ids] }, expiresAt: { gt: new Date() } };
  const rows = await db.conversation.findMany({ where, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
}

/** Find the open conversation about a code that was written in last, with an unread reply. */
export async function findLatestOpenConversation(db: Db, qrCodeId: string, ids: readonly string[]) {
  return db.conversation.findFirst({
    where: { id: { in: [...ids] }, qrCodeId, status: 'OPEN', expiresAt: { gt: new Date() } },
    orderBy: [...NEWEST_FIRST],
    select: {
      id: true,
      messages: { where: { sender: 'OWNER', readAt: null }, select: { id: true }, take: 1 },
    },
  });
}

/** Insert a conversation; false if its scan already has one. */
export async function insertConversation(tx: Tx, conversation: NewConversationRow): Promise<boolean> {
  const { count } = await tx.conversation.createMany({ data: [conversation], skipDuplicates: true });
  return count === 1;
}

/** Record that a message was written. One of the finder opens a conversation again that was done. */
export async function touchConversation(
  tx: Tx,
  { id, accountId, doneAt }: ConversationKey & Pick<ConversationRow, 'doneAt'>,
  { sender, at, expiresAt }: { sender: ConversationSide; at: Date; expiresAt: Date },
): Promise<void> {
  const isOpenedAgain = doneAt !== null && sender === 'FINDER';
  await tx.conversation.update({
    where: { id, accountId },
    data: {
      lastMessageAt: at,
      expiresAt,
      ...(isOpenedAgain && { doneAt: null, version: { increment: 1 } }),
    },
    select: { id: true },
  });
}

/** Whether the owner's side has nothing more to do, since it said so or ended the conversation. */
export function isConversationDone({
  doneAt,
  endedBy,
}: Pick<ConversationRow, 'doneAt' | 'endedBy'>): boolean {
  return doneAt !== null || endedBy === 'OWNER';
}

/** Conditions of `isConversationDone`. */
const DONE_FILTER = { OR: [{ doneAt: { not: null } }, { endedBy: 'OWNER' }] };
const NOT_DONE_FILTER = { doneAt: null, OR: [{ endedBy: null }, { endedBy: { not: 'OWNER' } }] };

/** Store what the owner's side decided about a conversation that this transaction has locked. */
export async function updateConversationWork(
  tx: Tx,
  { id, accountId }: ConversationKey,
  data: { doneAt?: Date | null; assigneeId?: string | null },
): Promise<void> {
  await tx.conversation.update({
    where: { id, accountId },
    data: { ...data, version: { increment: 1 } },
    select: { id: true },
  });
}

/** Add details of the finder; existing ones stay. */
export async function addMissingFinderDetails(
  tx: Tx,
  { id, accountId }: ConversationKey,
  { finderName, finderEmail }: Pick<NewConversationRow, 'finderName' | 'finderEmail'>,
): Promise<void> {
  await executeSql(tx)`
    UPDATE conversations SET finder_name = coalesce(finder_name, ${finderName}::bytea),
      finder_email = coalesce(finder_email, ${finderEmail}::bytea), updated_at = now()
    WHERE account_id = ${accountId} AND id = ${id}`;
}

/** Mark the address of the finder as theirs; false if it was before. */
export async function confirmFinderEmail(tx: Tx, { id, accountId }: ConversationKey): Promise<boolean> {
  const { count } = await tx.conversation.updateMany({
    where: { id, accountId, finderEmail: { not: null }, finderEmailConfirmedAt: null },
    data: { finderEmailConfirmedAt: new Date() },
  });
  return count === 1;
}

/** Delete the address of the finder; false if there was none. */
export async function clearFinderEmail(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx.conversation.updateMany({
    where: { id, finderEmail: { not: null } },
    data: { finderEmail: null, finderEmailConfirmedAt: null },
  });
  return count === 1;
}

/** Mark a conversation as ended; false if it had already ended. */
export async function markConversationEnded(
  tx: Tx,
  { id, accountId }: ConversationKey,
  endedBy: ConversationSide | 'ADMINISTRATION',
): Promise<boolean> {
  const { count } = await tx.conversation.updateMany({
    where: { id, accountId, status: 'OPEN' },
    data: { status: 'ENDED', endedBy, endedAt: new Date(), version: { increment: 1 } },
  });
  return count === 1;
}

/** Mark a conversation as open that its owner ended; false for one that is open. */
export async function markConversationReopened(tx: Tx, { id, accountId }: ConversationKey): Promise<boolean> {
  const { count } = await tx.conversation.updateMany({
    where: { id, accountId, status: 'ENDED', endedBy: 'OWNER' },
    data: { status: 'OPEN', endedBy: null, endedAt: null, doneAt: null, version: { increment: 1 } },
  });
  return count === 1;
}

/** Let lists of changes show a conversation again. */
export async function markConversationChanged(tx: Tx, { id, accountId }: ConversationKey): Promise<void> {
  await tx.conversation.updateMany({ where: { id, accountId }, data: { updatedAt: new Date() } });
}

/** As `markConversationChanged`, for all conversations that a scan is part of. */
export async function markConversationsOfScansChanged(tx: Tx, scanIds: readonly string[]): Promise<void> {
  await executeSql(tx)`
    UPDATE conversations SET updated_at = now()
    WHERE scan_id = ANY(${[...scanIds]}::text[])
       OR id IN (SELECT conversation_id FROM conversation_messages WHERE scan_id = ANY(${[...scanIds]}::text[]))`;
}

/** As `markConversationChanged`, for all conversations with a finder. */
export async function markFinderConversationsChanged(
  tx: Tx,
  { accountId, finderHash }: { accountId: string; finderHash: Uint8Array<ArrayBuffer> },
): Promise<void> {
  await tx.conversation.updateMany({ where: { accountId, finderHash }, data: { updatedAt: new Date() } });
}

interface ConversationFilter {
  qrCodeId?: string | undefined;
  /** The folders that a limited member has; null for others. */
  limitedTo?: readonly string[] | null | undefined;
  statuses?: readonly string[] | undefined;
  created?: TimeRange | undefined;
  /** Those with a message that the owner has not read. */
  isUnread?: boolean | undefined;
  isDone?: boolean | undefined;
  /** The id of a user, or null for those of nobody. */
  assigneeId?: string | null | undefined;
}

const toTimeFilter = ({ from, to }: TimeRange) => ({ ...(from && { gte: from }), ...(to && { lt: to }) });

export async function listConversations(
  db: Db,
  accountId: string,
  { qrCodeId, statuses, created, isUnread, isDone, assigneeId, limitedTo }: ConversationFilter,
  { skip, take, after }: ListRange,
): Promise<{ rows: ConversationRow[]; total: number }> {
  const where = {
    accountId,
    expiresAt: { gt: new Date() },
    ...(qrCodeId ? { qrCodeId } : {}),
    ...createFolderLimit(limitedTo),
    ...(statuses ? { status: { in: [...statuses] } } : {}),
    ...(created ? { createdAt: toTimeFilter(created) } : {}),
    ...(assigneeId === undefined ? {} : { assigneeId }),
    ...(isDone === undefined ? {} : { AND: [isDone ? DONE_FILTER : NOT_DONE_FILTER] }),
    ...(isUnread ? { messages: { some: { accountId, sender: 'FINDER', readAt: null } } } : {}),
  };
  const [rows, total] = await Promise.all([
    db.conversation.findMany({
      where: { ...where, ...createAfterFilter('lastMessageAt', after) },
      orderBy: [...NEWEST_FIRST],
      include: CONVERSATION_INCLUDE,
      skip,
      take,
    }),
    after === undefined ? db.conversation.count({ where }) : 0,
  ]);
  return { rows, total };
}

/** Conversations about codes in the folders that a limited member has. */
function createFolderLimit(limitedTo: readonly string[] | null | undefined): Prisma.ConversationWhereInput {
  return limitedTo ? { qrCode: { folderId: { in: [...limitedTo] } } } : {};
}

/** List conversations by their last change since a time, oldest first. */
export async function listChangedConversations(
  db: Db,
  { accountId, since, limitedTo }: { accountId: string; since: Date; limitedTo: readonly string[] | null },
  { take, after }: ListRange,
): Promise<ConversationRow[]> {
  return db.conversation.findMany({
    where: {
      accountId,
      expiresAt: { gt: new Date() },
      updatedAt: { gte: since },
      ...createFolderLimit(limitedTo),
      ...createAfterFilter('updatedAt', after, 'asc'),
    },
    orderBy: [{ updatedAt: 'asc' }, { id: 'asc' }],
    include: CONVERSATION_INCLUDE,
    take,
  });
}

/** Delete expired conversations, except with an undecided report of the last 180 days. Returns the number deleted. */
export async function deleteExpiredConversations(db: Db, limit: number): Promise<number> {
  return executeSql(db)`
    WITH expired AS (
      DELETE FROM conversations WHERE id IN (
        SELECT id FROM conversations WHERE expires_at <= now() AND NOT EXISTS (
          SELECT FROM conversation_reports WHERE conversation_id = conversations.id AND decision IS NULL
            AND created_at > now() - interval '180 days')
        LIMIT ${limit})
      RETURNING account_id, id)
    INSERT INTO deletions (account_id, type, id, deleted_at)
    SELECT account_id, 'CONVERSATION', id, now() FROM expired`;
}
