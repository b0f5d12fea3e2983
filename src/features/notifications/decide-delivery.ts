import type { Tx } from '../../platform/database.ts';
import type { NewNotificationDelivery } from './delivery.repository.ts';
import { chooseNotificationDelivery, type DeliveryDecision } from './delivery.rules.ts';
import type { DigestReason } from './digest-content.rules.ts';
import type { NotificationDispatchServices } from './dispatch-services.ts';
import type { DueNotification } from './due-notification.repository.ts';
import { enqueueNotificationMail } from './enqueue-notification-mail.ts';
import { createFirstMessageKey, type NotificationBatch } from './load-notification-batch.ts';
import { pickStringValues } from './notification.view.ts';
import type { NotificationChannel } from './notification-kinds.rules.ts';

interface DeliveryOutcome {
  row?: NewNotificationDelivery;
  digest?: { until: Date; reason: DigestReason };
}

/** Decide on a delivery: send it now, defer it, or leave it to a digest. A notification that was read is not sent. */
export async function deliverOrDeferNotification(
  services: NotificationDispatchServices,
  tx: Tx,
  batch: NotificationBatch,
  notification: DueNotification,
  channel: NotificationChannel,
): Promise<DeliveryOutcome> {
  const { id: notificationId, userId, isSeen } = notification;
  const recipient = batch.recipients.get(userId);
  if (!recipient || isSeen) return {};
  const candidate = {
    ...notification,
    isAmongFirst: batch.firstScans.has(notificationId),
    alarm: batch.alarms.get(notificationId),
  };
  const decision = chooseNotificationDelivery(recipient, candidate, channel, batch.now);
  const row = { notificationId, userId, channel };
  if (decision.act === 'NOTHING') return {};
  if (channel === 'PUSH' && !batch.pushUsers.has(userId) && !isSkippedPushListed(notification, decision))
    return {};
  if (decision.act === 'HOLD')
    return { row: { ...row, status: 'WAITING', reason: 'QUIET_HOURS', dueAt: decision.until } };
  if (decision.act === 'LIST') return { row: { ...row, status: 'NOT_SENT', reason: 'ALREADY_NOTIFIED' } };
  if (decision.act === 'GATHER' || decision.act === 'GATHER_ALARM') {
    const reason = decision.act === 'GATHER' ? 'DIGEST' : 'TOO_MANY';
    return { row: { ...row, status: 'WAITING', reason }, digest: { until: decision.until, reason } };
  }
  if (channel === 'PUSH') {
    await services.pushOutbox.post(tx, { userId, notificationId });
    return {};
  }
  if (!isFirstOfConversation(batch, notification))
    return { row: { ...row, status: 'NOT_SENT', reason: 'ALREADY_NOTIFIED' } };
  const mailId = await enqueueNotificationMail(services, tx, recipient, notification);
  return { row: { ...row, status: 'WAITING', mailId } };
}

/** Whether a push that nobody can receive has a delivery with the reason: not one for each scan of strangers. */
function isSkippedPushListed({ event }: DueNotification, { act }: DeliveryDecision): boolean {
  return event !== 'scan.created' && (act === 'SEND' || act === 'HOLD');
}

// One mail per conversation until its messages are read.
function isFirstOfConversation(
  { firstMessages }: NotificationBatch,
  { userId, event, data }: DueNotification,
): boolean {
  const { messageId = '' } = pickStringValues(data);
  return event !== 'message.created' || firstMessages.has(createFirstMessageKey({ userId, messageId }));
}
