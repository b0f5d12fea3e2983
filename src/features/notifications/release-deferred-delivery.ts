import type { Tx } from '../../platform/database.ts';
import {
  type DeferredDelivery,
  deleteNotificationDelivery,
  updateNotificationDelivery,
} from './delivery.repository.ts';
import { chooseNotificationDelivery } from './delivery.rules.ts';
import type { NotificationDispatchServices } from './dispatch-services.ts';
import type { DueNotification } from './due-notification.repository.ts';
import { enqueueNotificationMail } from './enqueue-notification-mail.ts';
import type { NotificationBatch } from './load-notification-batch.ts';

/** Send a deferred delivery, unless the notification was read or its channel disabled. In quiet hours it waits again. */
export async function releaseDeferredDelivery(
  services: NotificationDispatchServices,
  tx: Tx,
  { recipients, now }: NotificationBatch,
  notifications: readonly DueNotification[],
  { id, notificationId, userId, channel }: DeferredDelivery,
): Promise<void> {
  const recipient = recipients.get(userId);
  const notification = notifications.find((one) => one.id === notificationId);
  if (!recipient || !notification) return;
  if (!notification.isReadable) return deleteNotificationDelivery(tx, id);
  if (notification.isSeen) return updateNotificationDelivery(tx, id, { status: 'NOT_SENT', reason: 'SEEN' });
  const decision = chooseNotificationDelivery(
    recipient,
    { ...notification, isAmongFirst: true },
    channel,
    now,
  );
  if (decision.act === 'NOTHING')
    return updateNotificationDelivery(tx, id, { status: 'NOT_SENT', reason: 'SWITCHED_OFF' });
  if (decision.act === 'HOLD')
    return updateNotificationDelivery(tx, id, { reason: 'QUIET_HOURS', dueAt: decision.until });
  if (channel === 'EMAIL') {
    const mailId = await enqueueNotificationMail(services, tx, recipient, notification);
    return updateNotificationDelivery(tx, id, { mailId });
  }
  await deleteNotificationDelivery(tx, id);
  await services.pushOutbox.post(tx, { userId, notificationId });
}
