import type { Db, Tx } from '../../platform/database.ts';
import { executeSql, querySql } from '../../platform/sql.ts';
import type { DomainEventPayloads } from '../../shared/domain-events.ts';
import { generateId } from '../../shared/ids.ts';
import type { NotificationChannel } from './notification-kinds.rules.ts';

export interface NewNotificationDelivery {
  notificationId: string;
  userId: string;
  channel: NotificationChannel;
  status: 'WAITING' | 'NOT_SENT';
  reason?: string;
  mailId?: string;
  /** End of the deferral. */
  dueAt?: Date;
}

export interface DeferredDelivery {
  id: string;
  notificationId: string;
  userId: string;
  channel: NotificationChannel;
}

/** Insert deliveries; existing ones stay unchanged. */
export async function insertNotificationDeliveries(
  tx: Tx,
  deliveries: readonly NewNotificationDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const data = deliveries.map((delivery) => ({ id: generateId(), ...delivery }));
  await tx.notificationDelivery.createMany({ data, skipDuplicates: true });
}

/** Claim deferred deliveries that are due, like `claimDueNotifications`. */
export async function claimDeferredDeliveries(tx: Tx, now: Date, limit: number): Promise<DeferredDelivery[]> {
  return querySql<DeferredDelivery>(tx)`
    WITH due AS MATERIALIZED (
      SELECT one.id FROM notification_deliveries AS one JOIN users AS recipient ON recipient.id = one.user_id
      WHERE one.due_at <= ${now} ORDER BY one.due_at LIMIT ${limit}
      FOR UPDATE OF one SKIP LOCKED FOR KEY SHARE OF recipient SKIP LOCKED
    )
    UPDATE notification_deliveries AS delivery SET due_at = NULL, reason = NULL, status_changed_at = now()
    FROM due WHERE delivery.id = due.id
    RETURNING delivery.id, notification_id AS "notificationId", delivery.user_id AS "userId", channel`;
}

export async function updateNotificationDelivery(
  tx: Tx,
  id: string,
  change: Partial<Pick<NewNotificationDelivery, 'status' | 'reason' | 'mailId' | 'dueAt'>>,
): Promise<void> {
  await tx.notificationDelivery.update({ where: { id }, data: change, select: { id: true } });
}

export async function deleteNotificationDelivery(tx: Tx, id: string): Promise<void> {
  await tx.notificationDelivery.delete({ where: { id }, select: { id: true } });
}

export type MailDeliveryOutcome = Pick<DomainEventPayloads['mail.settled'], 'status' | 'reason'>;

/** Record the outcome of mails, or of an attempt to send them. Most mails have no delivery. */
export async function recordMailDeliveryOutcome(
  db: Db,
  mailIds: readonly string[],
  outcome: MailDeliveryOutcome,
): Promise<void> {
  const { status, reason } = outcome;
  await executeSql(db)`
    UPDATE notification_deliveries SET status = ${status}, reason = ${reason}, attempts = attempts + 1, status_changed_at = now()
    WHERE mail_id = ANY(${[...mailIds]}) AND status = 'WAITING'`;
}

/** Record the outcome of mails without an attempt: they are not to be sent, or their worker was lost. */
export async function recordUnattemptedMailOutcome(
  db: Db,
  mailIds: readonly string[],
  { status, reason }: MailDeliveryOutcome,
): Promise<void> {
  await executeSql(db)`
    UPDATE notification_deliveries SET status = ${status}, reason = ${reason}, status_changed_at = now()
    WHERE mail_id = ANY(${[...mailIds]}) AND status = 'WAITING'`;
}

export interface EmailDeliveryRow {
  id: string;
  event: string;
  status: string;
  reason: string | null;
  attempts: number;
  /** When a deferred delivery is sent. */
  dueAt: Date | null;
  statusChangedAt: Date;
  createdAt: Date;
}

/** List the last notifications that a user was emailed, or was not, newest first. */
export async function listLastEmailDeliveries(
  db: Db,
  userId: string,
  limit: number,
): Promise<EmailDeliveryRow[]> {
  return querySql<EmailDeliveryRow>(db)`
    SELECT delivery.id, notification.event, delivery.status, delivery.reason, delivery.attempts,
           delivery.due_at AS "dueAt", delivery.status_changed_at AS "statusChangedAt",
           delivery.created_at AS "createdAt"
    FROM notification_deliveries AS delivery
    JOIN notifications AS notification ON notification.id = delivery.notification_id
    WHERE delivery.user_id = ${userId} AND delivery.channel = 'EMAIL'
    ORDER BY delivery.created_at DESC, delivery.id DESC LIMIT ${limit}`;
}
