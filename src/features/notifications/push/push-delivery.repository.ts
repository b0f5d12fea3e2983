import type { Db, Tx } from '../../../platform/database.ts';
import { querySql, sql } from '../../../platform/sql.ts';
import { generateId } from '../../../shared/ids.ts';
import { IS_READABLE } from '../readable-notification.repository.ts';
import type { PushNotification } from './push-content.rules.ts';

export interface WaitingPush extends Omit<PushNotification, 'id' | 'data'> {
  id: string;
  userId: string;
  attempts: number;
  reason: string | null;
  notificationId: string;
  data: unknown;
  /** BCP 47. */
  language: string;
  isEnterprise: boolean;
  /** Null if the device is no longer registered or logged in. */
  deviceId: string | null;
  token: Uint8Array | null;
  /** That a browser subscribed with; null for a device of Firebase. */
  vapidPublicKey: string | null;
  kind: string | null;
}

/** How devices are reached. */
export interface PushReach {
  hasFirebase: boolean;
  /** Browsers that subscribed with another one refuse pushes. */
  vapidPublicKey: string;
}

// Requires the aliases `session` and `recipient`.
const IS_LOGGED_IN = sql`session.ended_at IS NULL AND session.expires_at > now()
  AND recipient.status NOT IN ('SUSPENDED', 'DELETED')`;

// Requires the alias `device`.
function isReachable({ hasFirebase, vapidPublicKey }: PushReach) {
  return sql`CASE WHEN device.vapid_public_key IS NULL THEN ${hasFirebase}
    ELSE device.vapid_public_key = ${vapidPublicKey} END`;
}

export async function listReachablePushDeviceIds(
  tx: Tx,
  userId: string,
  reach: PushReach,
): Promise<string[]> {
  const rows = await querySql<{ id: string }>(tx)`
    SELECT device.id FROM push_devices AS device
    JOIN sessions AS session ON session.id = device.session_id
    JOIN users AS recipient ON recipient.id = device.user_id
    WHERE device.user_id = ${userId} AND ${IS_LOGGED_IN} AND ${isReachable(reach)} ORDER BY device.id`;
  return rows.map(({ id }) => id);
}

/** Of these users, find those with a device that `listReachablePushDeviceIds` lists. */
export async function listReachablePushUserIds(
  tx: Tx,
  userIds: readonly string[],
  reach: PushReach,
): Promise<string[]> {
  const rows = await querySql<{ userId: string }>(tx)`
    SELECT DISTINCT device.user_id AS "userId" FROM push_devices AS device
    JOIN sessions AS session ON session.id = device.session_id
    JOIN users AS recipient ON recipient.id = device.user_id
    WHERE device.user_id = ANY(${[...userIds]}) AND ${IS_LOGGED_IN} AND ${isReachable(reach)}`;
  return rows.map(({ userId }) => userId);
}

/** Insert waiting deliveries for devices. Returns the ids of the new ones. */
export async function insertWaitingPushes(
  tx: Tx,
  target: { userId: string; notificationId: string },
  deviceIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.notificationDelivery.createManyAndReturn({
    data: deviceIds.map((deviceId) => ({ id: generateId(), ...target, channel: 'PUSH', deviceId })),
    skipDuplicates: true,
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

export async function insertSkippedPush(
  tx: Tx,
  target: { userId: string; notificationId: string },
  reason: string,
): Promise<void> {
  await tx.notificationDelivery.createMany({
    data: [{ id: generateId(), ...target, channel: 'PUSH', status: 'NOT_SENT', reason }],
    skipDuplicates: true,
  });
}

export async function findWaitingPush(db: Db, id: string): Promise<WaitingPush | null> {
  const rows = await querySql<WaitingPush>(db)`
    SELECT delivery.id, delivery.user_id AS "userId", delivery.attempts, delivery.reason,
      notification.id AS "notificationId", notification.type, notification.event, notification.data,
      notification.created_at AS "createdAt", notification.read_at AS "readAt",
      CASE WHEN ${IS_READABLE} THEN notification.dismissed_at ELSE now() END AS "dismissedAt", recipient.language,
      recipient.enterprise_mode OR account.enterprise_mode AS "isEnterprise",
      reachable.id AS "deviceId", reachable.token, reachable.vapid_public_key AS "vapidPublicKey", code.kind
    FROM notification_deliveries AS delivery
    JOIN notifications AS notification ON notification.id = delivery.notification_id
    JOIN accounts AS account ON account.id = notification.account_id
    JOIN users AS recipient ON recipient.id = delivery.user_id
    LEFT JOIN LATERAL (
      SELECT device.id, device.token, device.vapid_public_key FROM push_devices AS device
      JOIN sessions AS session ON session.id = device.session_id
      WHERE device.id = delivery.device_id AND device.user_id = delivery.user_id AND ${IS_LOGGED_IN}
    ) AS reachable ON true
    LEFT JOIN qr_codes AS code ON code.id = notification.data ->> 'qrCodeId' AND code.account_id = notification.account_id
    WHERE delivery.id = ${id} AND delivery.status = 'WAITING' AND delivery.channel = 'PUSH'`;
  return rows[0] ?? null;
}

/** Complete a waiting push. NOT_SENT does not count as an attempt. */
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

export async function recordFailedPushAttempt(db: Db, id: string, reason: string): Promise<void> {
  await db.notificationDelivery.updateMany({
    where: { id, status: 'WAITING' },
    data: { reason, attempts: { increment: 1 } },
  });
}

export async function listWaitingPushIds(db: Db, afterId: string, limit: number): Promise<string[]> {
  const rows = await db.notificationDelivery.findMany({
    where: { status: 'WAITING', deviceId: { not: null }, id: { gt: afterId } },
    orderBy: { id: 'asc' },
    take: limit,
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

export async function failWaitingPushes(db: Db, ids: readonly string[], reason: string): Promise<number> {
  const { count } = await db.notificationDelivery.updateMany({
    where: { id: { in: [...ids] }, status: 'WAITING' },
    data: { status: 'FAILED', reason, statusChangedAt: new Date() },
  });
  return count;
}
