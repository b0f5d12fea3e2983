import type { Db, Tx } from '../../platform/database.ts';
import { querySql } from '../../platform/sql.ts';
import type { MailDiscardReason } from './unsolicited-mail-limits.ts';

/** The template of a mail that is stored but not sent. */
export const DISCARDED_MAIL_TEMPLATE = 'DISCARDED';

export interface PendingMail {
  id: string;
  template: string;
  content: Uint8Array;
  attempts: number;
  /** Reason of the last failed attempt, or why the mail is discarded. */
  reason: string | null;
}

export async function insertOutgoingMail(
  tx: Tx,
  mail: {
    id: string;
    template: string;
    content: Uint8Array<ArrayBuffer>;
    recipientHash: Uint8Array<ArrayBuffer>;
    reason: MailDiscardReason | null;
  },
): Promise<void> {
  await tx.outgoingMail.create({ data: mail, select: { id: true } });
}

/** Find a mail that is not sent or failed. */
export async function findPendingMail(db: Db, id: string): Promise<PendingMail | null> {
  const row = await db.outgoingMail.findUnique({
    where: { id },
    select: { id: true, template: true, content: true, attempts: true, reason: true },
  });
  return row?.content ? { ...row, content: row.content } : null;
}

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

/** Record a failed attempt with a reason code. */
export async function recordFailedMailAttempt(db: Db, id: string, reason: string): Promise<void> {
  await db.outgoingMail.updateMany({
    where: { id, status: 'WAITING' },
    data: { attempts: { increment: 1 }, reason },
  });
}

/** Fail a mail and delete its content. */
export async function markMailFailed(db: Db, id: string, reason: string): Promise<void> {
  await db.outgoingMail.updateMany({
    where: { id, status: 'WAITING' },
    data: { status: 'FAILED', content: null, recipientHash: null, attempts: { increment: 1 }, reason },
  });
}

/** List ids of waiting mails after a cursor. */
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

/** Fail those of the mails that still wait, delete their content and return their ids. */
export async function markMailsFailed(db: Db, ids: readonly string[], reason: string): Promise<string[]> {
  const rows = await querySql<{ id: string }>(db)`
    UPDATE outgoing_mails SET status = 'FAILED', content = NULL, recipient_hash = NULL, reason = ${reason}
    WHERE id = ANY(${[...ids]}) AND status = 'WAITING' RETURNING id`;
  return rows.map(({ id }) => id).sort();
}

export interface WaitingMailRow {
  id: string;
  template: string;
  attempts: number;
  /** Of the last failed attempt. */
  reason: string | null;
  createdAt: Date;
}

const MAX_LISTED_MAILS = 20;

/** List the mails that wait for an address, oldest first. Those that are not to be sent are left out. */
export async function listMailsWaitingFor(
  db: Db,
  recipientHash: Uint8Array<ArrayBuffer>,
): Promise<WaitingMailRow[]> {
  return db.outgoingMail.findMany({
    where: { recipientHash, status: 'WAITING', template: { not: DISCARDED_MAIL_TEMPLATE } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: MAX_LISTED_MAILS,
    select: { id: true, template: true, attempts: true, reason: true, createdAt: true },
  });
}

/** Count all waiting mails, and find out since when the oldest waits. */
export async function countWaitingMails(db: Db): Promise<{ waiting: number; waitingSince: Date | null }> {
  const { _count, _min } = await db.outgoingMail.aggregate({
    where: { status: 'WAITING' },
    _count: true,
    _min: { createdAt: true },
  });
  return { waiting: _count, waitingSince: _min.createdAt };
}

/** Delete finished mails that were created before a moment. */
export async function deleteFinishedMails(db: Db, before: Date): Promise<number> {
  const { count } = await db.outgoingMail.deleteMany({
    where: { status: { not: 'WAITING' }, createdAt: { lt: before } },
  });
  return count;
}

/** Fail the waiting mails of an erased account. */
export async function markRecipientMailsFailed(
  tx: Tx,
  recipientHash: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await tx.outgoingMail.updateMany({
    where: { recipientHash, status: 'WAITING' },
    data: { status: 'FAILED', content: null, recipientHash: null, reason: 'ERASED' },
  });
}

/** Find the language (BCP 47) and time zone of the account with an address; English and UTC when absent. */
export async function findRecipientSettings(
  tx: Tx,
  email: string,
): Promise<{ language: string; timeZone: string }> {
  const row = await tx.user.findUnique({ where: { email }, select: { language: true, timeZone: true } });
  return row ?? { language: 'en', timeZone: 'UTC' };
}
