import type { Tx } from '../../platform/database.ts';
import { type DeferredDelivery, deleteDelivery, updateDelivery } from './delivery.repository.ts';
import { chooseDelivery } from './delivery.rules.ts';
import type { DispatchServices } from './dispatch-services.ts';
import type { DueNotification } from './due-notification.repository.ts';
import { enqueueNotificationMail } from './enqueue-notification-mail.ts';
import type { NotificationBatch } from './load-notification-batch.ts';

/** Send a deferred delivery, unless the notification was read or its channel disabled. In quiet hours it waits again. */
export async function releaseDeferredDelivery(
  services: DispatchServices,
  tx: Tx,
  { recipients, now }: NotificationBatch,
  notifications: readonly DueNotification[],
  { id, notificationId, userId, channel }: DeferredDelivery,
): Promise<void> {
  const recipient = recipients.get(userId);
  const notification = notifications.find((one) => one.id === notificationId);
  if (!recipient || !notification) return;
  if (notification.isSeen) return updateDelivery(tx, id, { status: 'NOT_SENT', reason: 'SEEN' });
  const decision = chooseDelivery(recipient, { ...notification, isAmongFirst: true }, channel, now);
  if (decision.act === 'NOTHING')
    return updateDelivery(tx, id, { status: 'NOT_SENT', reason: 'SWITCHED_OFF' });
  if (decision.act === 'HOLD')
    return updateDelivery(tx, id, { reason: 'QUIET_HOURS', dueAt: decision.until });
  if (channel === 'EMAIL') {
    const mailId = await enqueueNotificationMail(services, tx, recipient, notification);
    return updateDelivery(tx, id, { mailId });
  }
  await deleteDelivery(tx, id);
  await services.pushOutbox.post(tx, { userId, notificationId });
}
