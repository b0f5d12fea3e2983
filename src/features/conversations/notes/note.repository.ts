import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql } from '../../../platform/sql.ts';
import type { TimeCursor } from '../../../shared/time-cursor.ts';
import type { ConversationKey } from '../conversation.repository.ts';

export type NoteRow = Awaited<ReturnType<typeof listNotes>>[number];

export type NoteKey = Pick<NoteRow, 'id' | 'accountId' | 'conversationId'>;

const NOTE_INCLUDE = { author: { select: { firstName: true, lastName: true } } };

/** List the notes about a conversation after a cursor, newest first. */
export async function listNotes(
  db: Db,
  { id: conversationId, accountId }: ConversationKey,
  { after, take }: { after: TimeCursor | null; take: number },
) {
  const afterCursor = after && {
    OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }],
  };
  return db.conversationNote.findMany({
    where: { accountId, conversationId, ...afterCursor },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    include: NOTE_INCLUDE,
    take,
  });
}

export async function findNote(db: Db, { id, accountId, conversationId }: NoteKey): Promise<NoteRow | null> {
  return db.conversationNote.findFirst({ where: { id, accountId, conversationId }, include: NOTE_INCLUDE });
}

export async function insertNote(
  tx: Tx,
  note: NoteKey & Pick<NoteRow, 'authorId' | 'content'>,
): Promise<NoteRow> {
  return tx.conversationNote.create({ data: note, include: NOTE_INCLUDE });
}

/** Change the text of a note, whose conversation this transaction has locked. */
export async function updateNote(
  tx: Tx,
  { id, accountId }: NoteKey,
  content: NoteRow['content'],
): Promise<NoteRow> {
  return tx.conversationNote.update({
    where: { accountId_id: { accountId, id }, accountId },
    data: { content, version: { increment: 1 }, updatedAt: new Date() },
    include: NOTE_INCLUDE,
  });
}

export async function deleteNote(tx: Tx, { id, accountId }: NoteKey): Promise<void> {
  await tx.conversationNote.deleteMany({ where: { id, accountId } });
}

/** Notes of an erased user stay with their accounts, without the author. Returns the number of those that were changed. */
export async function clearNoteAuthor(tx: Tx, userId: string, limit: number): Promise<number> {
  return executeSql(tx)`
    UPDATE conversation_notes SET author_id = NULL
    WHERE id IN (SELECT id FROM conversation_notes WHERE author_id = ${userId} LIMIT ${limit})`;
}
