import type { Tx } from '../../platform/database.ts';
import { publishRealtimeEvents } from '../../platform/realtime/publish-events.ts';
import { getUserStreamName } from '../../platform/realtime/streams.ts';
import type { DueNotification } from './due-notification.repository.ts';

/** Publish notifications to open sockets of their users, in the transaction that decides on their delivery. */
export async function publishCreatedNotifications(
  tx: Tx,
  notifications: readonly DueNotification[],
): Promise<void> {
  await publishRealtimeEvents(
    tx,
    ...notifications.map(({ id, userId }) => ({
      stream: getUserStreamName(userId),
      event: 'notification.created' as const,
      data: { notificationId: id },
    })),
  );
}
