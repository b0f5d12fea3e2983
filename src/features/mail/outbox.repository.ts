import type { Db, Tx } from '../../platform/database.ts';

export interface PendingMail {
  id: string;
  template: string;
  content: Uint8Array;
  attempts: number;
  /** Why the last try failed; null before the first. */
  reason: string | null;
}

/** Writes a mail into the outbox, in the transaction of what causes it. */
export async function insertOutgoingMail(
  tx: Tx,
  mail: {
    id: string;
    template: string;
    content: Uint8Array<ArrayBuffer>;
    recipientHash: Uint8Array<ArrayBuffer>;
  },
): Promise<void> {
  await tx.outgoingMail.create({ data: mail, select: { id: true } });
}

/** A mail that still waits, or null when it was sent or given up. */
export async function findPendingMail(db: Db, id: string): Promise<PendingMail | null> {
  const row = await db.outgoingMail.findUnique({
    where: { id },
    select: { id: true, template: true, content: true, attempts: true, reason: true },
  });
  return row?.content ? { ...row, content: row.content } : null;
}

/** Marks a mail as sent and deletes its content. */
export async function markMailSent(db: Db, id: string): Promise<void> {
  await db.outgoingMail.updateMany({
    where: { id, status: 'WAITING' },
    data: {
      status: 'SENT',
      content: null,
      recipientHash: null,
      sentAt: new Date(),
      attempts: { increment: 1 },
      reason: null,
    },
  });
}

/** Notes a try that failed, with the reason as a word. */
export async function recordFailedAttempt(db: Db, id: string, reason: string): Promise<void> {
  await db.outgoingMail.updateMany({
    where: { id, status: 'WAITING' },
    data: { attempts: { increment: 1 }, reason },
  });
}

/** Gives a mail up and deletes its content. */
export async function markMailFailed(db: Db, id: string, reason: string): Promise<void> {
  await db.outgoingMail.updateMany({
    where: { id, status: 'WAITING' },
    data: { status: 'FAILED', content: null, recipientHash: null, attempts: { increment: 1 }, reason },
  });
}

/** Ids of mails that wait, in their order, from after an id on. */
export async function listPendingMailIds(db: Db, afterId: string, limit: number): Promise<string[]> {
  const where = { status: 'WAITING', id: { gt: afterId } };
  const rows = await db.outgoingMail.findMany({
    where,
    orderBy: { id: 'asc' },
    take: limit,
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Gives up, of these mails, those that still wait and deletes their content; answers their ids. */
export async function markMailsFailed(db: Db, ids: readonly string[], reason: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    UPDATE outgoing_mails SET status = 'FAILED', content = NULL, recipient_hash = NULL, reason = ${reason}
    WHERE id = ANY(${[...ids]}) AND status = 'WAITING' RETURNING id`;
  return rows.map(({ id }) => id).sort();
}

/** Forgets mails that were sent or given up before this moment. */
export async function deleteFinishedMails(db: Db, before: Date): Promise<number> {
  const { count } = await db.outgoingMail.deleteMany({
    where: { status: { not: 'WAITING' }, createdAt: { lt: before } },
  });
  return count;
}

/** Gives up what waits for a recipient: their account was erased. */
export async function markRecipientMailsFailed(
  tx: Tx,
  recipientHash: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await tx.outgoingMail.updateMany({
    where: { recipientHash, status: 'WAITING' },
    data: { status: 'FAILED', content: null, recipientHash: null, reason: 'ERASED' },
  });
}

/** The language of the account with an address, BCP 47; English where there is none. */
export async function findLanguageByEmail(tx: Tx, email: string): Promise<string> {
  const row = await tx.user.findUnique({ where: { email }, select: { language: true } });
  return row?.language ?? 'en';
}
