import type { Tx } from '../../platform/database.ts';
import { changeDelivery, deleteDelivery, type HeldDelivery } from './delivery.repository.ts';
import { decide } from './delivery.rules.ts';
import type { DispatchServices } from './dispatch-services.ts';
import type { DueNotification } from './due.repository.ts';
import { mailNotification } from './mail-notification.ts';
import type { Batch } from './read-batch.ts';

/** Sends a delivery that was held back, unless the person has seen it or does not want it any more; in quiet hours it waits on. */
export async function releaseHeld(
  services: DispatchServices,
  tx: Tx,
  { persons, now }: Batch,
  notifications: readonly DueNotification[],
  { id, notificationId, userId, channel }: HeldDelivery,
): Promise<void> {
  const person = persons.get(userId);
  const notification = notifications.find((one) => one.id === notificationId);
  if (!person || !notification) return;
  if (notification.isSeen) return changeDelivery(tx, id, { status: 'NOT_SENT', reason: 'SEEN' });
  const decision = decide(person, { ...notification, isAmongFirst: true }, channel, now);
  if (decision.act === 'NOTHING')
    return changeDelivery(tx, id, { status: 'NOT_SENT', reason: 'SWITCHED_OFF' });
  if (decision.act === 'HOLD')
    return changeDelivery(tx, id, { reason: 'QUIET_HOURS', dueAt: decision.until });
  if (channel === 'EMAIL') {
    const mailId = await mailNotification(services, tx, person, notification);
    return changeDelivery(tx, id, { mailId });
  }
  // One for each device takes its place.
  await deleteDelivery(tx, id);
  await services.pushOutbox.post(tx, { userId, notificationId });
}
