import type { Db, Tx } from '../../platform/database.ts';
import { generateId } from '../../shared/ids.ts';
import type { NotificationChannel } from './notification-kinds.rules.ts';

/** A delivery as it is to be stored. */
export interface NewDelivery {
  notificationId: string;
  userId: string;
  channel: NotificationChannel;
  status: 'WAITING' | 'NOT_SENT';
  reason?: string;
  mailId?: string;
  /** Until when it is held back. */
  dueAt?: Date;
}

/** A delivery that was held back, and what it is of. */
export interface DeferredDelivery {
  id: string;
  notificationId: string;
  userId: string;
  channel: NotificationChannel;
}

/** Notes how notifications are sent; what is noted already stays as it is. */
export async function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const data = deliveries.map((delivery) => ({ id: generateId(), ...delivery }));
  await tx.notificationDelivery.createMany({ data, skipDuplicates: true });
}

/** Takes deliveries whose waiting is over, `limit` at most, as `claimDue` does. */
export async function claimDeferredDeliveries(tx: Tx, now: Date, limit: number): Promise<DeferredDelivery[]> {
  return tx.$queryRaw<DeferredDelivery[]>`
    WITH due AS MATERIALIZED (
      SELECT one.id FROM notification_deliveries AS one JOIN users AS person ON person.id = one.user_id
      WHERE one.due_at <= ${now} ORDER BY one.due_at LIMIT ${limit}
      FOR UPDATE OF one SKIP LOCKED FOR KEY SHARE OF person SKIP LOCKED
    )
    UPDATE notification_deliveries AS held SET due_at = NULL, reason = NULL, status_changed_at = now()
    FROM due WHERE held.id = due.id
    RETURNING held.id, notification_id AS "notificationId", held.user_id AS "userId", channel`;
}

/** Says of a delivery that was taken what becomes of it: held back again, on its way as a mail, or not sent. */
export async function updateDelivery(
  tx: Tx,
  id: string,
  change: Partial<Pick<NewDelivery, 'status' | 'reason' | 'mailId' | 'dueAt'>>,
): Promise<void> {
  await tx.notificationDelivery.update({ where: { id }, data: change, select: { id: true } });
}

/** Removes a delivery whose place others take. */
export async function deleteDelivery(tx: Tx, id: string): Promise<void> {
  await tx.notificationDelivery.delete({ where: { id }, select: { id: true } });
}

/** Record the outcome of mails, or of an attempt to send them, at the deliveries that they are for. Most mails have none. */
export async function updateMailDelivery(
  db: Db,
  mailIds: readonly string[],
  outcome: { status: 'WAITING' | 'DELIVERED' | 'FAILED'; reason: string | null },
): Promise<void> {
  const { status, reason } = outcome;
  await db.$executeRaw`
    UPDATE notification_deliveries SET status = ${status}, reason = ${reason}, attempts = attempts + 1, status_changed_at = now()
    WHERE mail_id = ANY(${[...mailIds]}) AND status = 'WAITING'`;
}

/** The same of mails that were given up because their workers were lost. */
export async function failLostMailDeliveries(
  db: Db,
  mailIds: readonly string[],
  reason: string | null,
): Promise<void> {
  await db.$executeRaw`
    UPDATE notification_deliveries SET status = 'FAILED', reason = ${reason}, status_changed_at = now()
    WHERE mail_id = ANY(${[...mailIds]}) AND status = 'WAITING'`;
}
