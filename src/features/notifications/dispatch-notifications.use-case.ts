import type { Tx } from '../../platform/database.ts';
import { publishRealtimeEvents } from '../../platform/realtime/publish-events.ts';
import { getUserStreamName } from '../../platform/realtime/streams.ts';
import { deliverOrDeferNotification } from './decide-delivery.ts';
import {
  claimDeferredDeliveries,
  type DeferredDelivery,
  insertNotificationDeliveries,
  type NewNotificationDelivery,
} from './delivery.repository.ts';
import type { NotificationDispatchServices } from './dispatch-services.ts';
import {
  claimDueNotifications,
  type DueNotification,
  findNotificationsForDelivery,
} from './due-notification.repository.ts';
import { loadNotificationBatch } from './load-notification-batch.ts';
import { NOTIFICATION_CHANNELS } from './notification-kinds.rules.ts';
import { releaseDeferredDelivery } from './release-deferred-delivery.ts';
import { assignToDigests, type DigestAssignment, sendDigests } from './send-digests.ts';

export const NOTIFICATION_DISPATCH_BATCH_SIZE = 100;

/** Send everything that is due at a moment. Returns the number of notifications and deferred deliveries. */
export async function dispatchDueNotifications(
  services: NotificationDispatchServices,
  now = new Date(),
): Promise<number> {
  for (let total = 0; ; ) {
    const count = await queueNotificationDeliveryBatch(services, now);
    if (count === 0) return total;
    total += count;
  }
}

/**
 * Dispatch due notifications and deferred deliveries, up to `limit` of each, in one transaction, so that each is dispatched
 * exactly once. Returns their number.
 */
export async function queueNotificationDeliveryBatch(
  services: NotificationDispatchServices,
  now: Date,
  limit = NOTIFICATION_DISPATCH_BATCH_SIZE,
): Promise<number> {
  const count = await services.database.transaction(async (tx) => {
    const due = (await claimDueNotifications(tx, now, limit)).sort(compareByTime);
    const deferred = await claimDeferredDeliveries(tx, now, limit);
    if (due.length + deferred.length > 0) await dispatch(services, tx, { due, deferred, now });
    return due.length + deferred.length;
  });
  if (count > 0) {
    services.mailOutbox.wake();
    services.pushOutbox.wake();
  }
  return count;
}

async function dispatch(
  services: NotificationDispatchServices,
  tx: Tx,
  { due, deferred, now }: { due: DueNotification[]; deferred: DeferredDelivery[]; now: Date },
): Promise<void> {
  const deferredIds = deferred.map(({ notificationId }) => notificationId);
  const deferredNotifications =
    deferred.length > 0 ? await findNotificationsForDelivery(tx, deferredIds) : [];
  const batch = await loadNotificationBatch(services, tx, {
    due,
    deferred: deferredNotifications,
    now,
  });
  const digests = due.filter(isDigest);
  const notifications = due.filter((one) => one.isReadable && !isDigest(one));
  const rows: NewNotificationDelivery[] = [];
  const assignments: DigestAssignment[] = [];
  for (const one of notifications) {
    for (const channel of NOTIFICATION_CHANNELS) {
      const outcome = await deliverOrDeferNotification(services, tx, batch, one, channel);
      if (outcome.row) rows.push(outcome.row);
      if (outcome.digest)
        assignments.push({ userId: one.userId, accountId: one.accountId, ...outcome.digest });
    }
  }
  await insertNotificationDeliveries(tx, rows);
  await assignToDigests(tx, assignments, now);
  for (const delivery of deferred)
    await releaseDeferredDelivery(services, tx, batch, deferredNotifications, delivery);
  if (digests.length > 0) await sendDigests(services, tx, batch, digests);
  await publishCreatedNotifications(tx, notifications);
}

function isDigest({ event }: DueNotification): boolean {
  return event === 'scan.digest';
}

function compareByTime(one: DueNotification, other: DueNotification): number {
  return one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1);
}

/** Publish notifications to open sockets of their users, in the transaction that decides on their delivery. */
async function publishCreatedNotifications(tx: Tx, notifications: readonly DueNotification[]): Promise<void> {
  await publishRealtimeEvents(
    tx,
    ...notifications.map(({ id, userId, accountId }) => ({
      stream: getUserStreamName(userId),
      event: 'notification.created' as const,
      data: { notificationId: id, ...(accountId !== userId && { accountId }) },
    })),
  );
}
