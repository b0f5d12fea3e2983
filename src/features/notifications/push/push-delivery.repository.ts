import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import { generateId } from '../../../shared/ids.ts';
import type { PushNotification } from './push-content.rules.ts';

/** A push that waits. */
export interface WaitingPush extends Omit<PushNotification, 'id' | 'data'> {
  id: string;
  userId: string;
  attempts: number;
  /** Why the last try failed; null before the first. */
  reason: string | null;
  notificationId: string;
  data: unknown;
  /** BCP 47. */
  language: string;
  /** Whether the rules of enterprise mode hold for the person. */
  isEnterprise: boolean;
  /** Both null once nothing is to be sent to the device any more. */
  deviceId: string | null;
  token: Uint8Array | null;
  /** The kind of the code it is about; null where it is about none, or that is gone. */
  kind: string | null;
}

/** Conditions of SQL over the aliases `session` and `person`: whether somebody is logged in on a device. */
const IS_LOGGED_IN = Prisma.sql`session.ended_at IS NULL AND session.expires_at > now()
  AND person.status NOT IN ('SUSPENDED', 'DELETED')`;

/** Ids of the devices that a person is logged in on. */
export async function listReachableDevices(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT device.id FROM push_devices AS device
    JOIN sessions AS session ON session.id = device.session_id
    JOIN users AS person ON person.id = device.user_id
    WHERE device.user_id = ${userId} AND ${IS_LOGGED_IN} ORDER BY device.id`;
  return rows.map(({ id }) => id);
}

/** Writes that a notification waits for these devices. Answers the ids of the deliveries that were not there yet. */
export async function insertWaitingPushes(
  tx: Tx,
  of: { userId: string; notificationId: string },
  deviceIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.notificationDelivery.createManyAndReturn({
    data: deviceIds.map((deviceId) => ({ id: generateId(), ...of, channel: 'PUSH', deviceId })),
    skipDuplicates: true,
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Writes that a notification goes to no device, with the reason as a word. */
export async function insertUnsentPush(
  tx: Tx,
  of: { userId: string; notificationId: string },
  reason: string,
): Promise<void> {
  await tx.notificationDelivery.createMany({
    data: [{ id: generateId(), ...of, channel: 'PUSH', status: 'NOT_SENT', reason }],
    skipDuplicates: true,
  });
}

/** A push that still waits, with what is needed to send it; null once it was settled. */
export async function findWaitingPush(db: Db, id: string): Promise<WaitingPush | null> {
  const rows = await db.$queryRaw<WaitingPush[]>`
    SELECT delivery.id, delivery.user_id AS "userId", delivery.attempts, delivery.reason,
      notification.id AS "notificationId", notification.type, notification.event, notification.data,
      notification.created_at AS "createdAt", notification.read_at AS "readAt",
      notification.dismissed_at AS "dismissedAt", person.language, person.enterprise_mode AS "isEnterprise",
      reachable.id AS "deviceId", reachable.token, code.kind
    FROM notification_deliveries AS delivery
    JOIN notifications AS notification ON notification.id = delivery.notification_id
    JOIN users AS person ON person.id = delivery.user_id
    LEFT JOIN LATERAL (
      SELECT device.id, device.token FROM push_devices AS device
      JOIN sessions AS session ON session.id = device.session_id
      WHERE device.id = delivery.device_id AND device.user_id = delivery.user_id AND ${IS_LOGGED_IN}
    ) AS reachable ON true
    LEFT JOIN qr_codes AS code ON code.id = notification.data ->> 'qrCodeId' AND code.owner_id = delivery.user_id
    WHERE delivery.id = ${id} AND delivery.status = 'WAITING' AND delivery.channel = 'PUSH'`;
  return rows[0] ?? null;
}

/** Settles a push that waits: taken, not to be sent, or failed. A try counts unless nothing was sent. */
export async function completePush(
  db: Db,
  id: string,
  status: 'DELIVERED' | 'NOT_SENT' | 'FAILED',
  reason: string | null,
): Promise<void> {
  await db.notificationDelivery.updateMany({
    where: { id, status: 'WAITING' },
    data: {
      status,
      reason,
      statusChangedAt: new Date(),
      attempts: { increment: status === 'NOT_SENT' ? 0 : 1 },
    },
  });
}

/** Notes a try that failed, with the reason as a word. */
export async function recordFailedPushAttempt(db: Db, id: string, reason: string): Promise<void> {
  await db.notificationDelivery.updateMany({
    where: { id, status: 'WAITING' },
    data: { reason, attempts: { increment: 1 } },
  });
}

/** Ids of pushes that wait, in their order, from after an id on. */
export async function listWaitingPushes(db: Db, afterId: string, limit: number): Promise<string[]> {
  const rows = await db.notificationDelivery.findMany({
    where: { status: 'WAITING', deviceId: { not: null }, id: { gt: afterId } },
    orderBy: { id: 'asc' },
    take: limit,
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Gives up, of these pushes, those that still wait. Answers how many. */
export async function failPushes(db: Db, ids: readonly string[], reason: string): Promise<number> {
  const { count } = await db.notificationDelivery.updateMany({
    where: { id: { in: [...ids] }, status: 'WAITING' },
    data: { status: 'FAILED', reason, statusChangedAt: new Date() },
  });
  return count;
}
