import { getErrorCodeOrName } from '../../platform/error-reason.ts';
import { createPollLoop } from '../../platform/poll-loop.ts';
import {
  NOTIFICATION_DISPATCH_BATCH_SIZE,
  queueNotificationDeliveryBatch,
} from './dispatch-notifications.use-case.ts';
import type { NotificationDispatchServices } from './dispatch-services.ts';
import { postponeOldestDueNotification } from './due-notification.repository.ts';

const POLL_INTERVAL_MS = 2_000;

/** Leaves capacity for requests while there is a backlog. */
const BATCH_PAUSE_MS = 50;

const POSTPONE_MS = 60_000;

/** Dispatch notifications while the process runs. Instances share the work by row locks. */
export interface NotificationDispatcher {
  start(): void;
  /** Dispatch soon instead of at the next poll. */
  wake(): void;
  stop(): Promise<void>;
}

export function createNotificationDispatcher(services: NotificationDispatchServices): NotificationDispatcher {
  const { database, log } = services;
  // After a failure one full batch is processed item by item, to find the item at fault.
  let singleItemBatchesLeft = 0;
  let isFailing = false;

  async function dispatchBatch(): Promise<boolean> {
    const now = new Date();
    try {
      const count = await queueNotificationDeliveryBatch(
        services,
        now,
        singleItemBatchesLeft > 0 ? 1 : NOTIFICATION_DISPATCH_BATCH_SIZE,
      );
      singleItemBatchesLeft = count > 0 ? Math.max(0, singleItemBatchesLeft - 1) : 0;
      isFailing = false;
      return count > 0;
    } catch (error) {
      const message = `notifications: dispatch failed (${getErrorCodeOrName(error)}), retrying`;
      if (!isFailing) log.error({ err: error }, message);
      isFailing = true;
      // Also fails while the database is unavailable.
      if (singleItemBatchesLeft > 0)
        await postponeOldestDueNotification(
          database.client,
          now,
          new Date(now.getTime() + POSTPONE_MS),
        ).catch(() => {});
      singleItemBatchesLeft =
        singleItemBatchesLeft > 0 ? singleItemBatchesLeft - 1 : NOTIFICATION_DISPATCH_BATCH_SIZE;
      return false;
    }
  }

  return createPollLoop({ work: dispatchBatch, pollIntervalMs: POLL_INTERVAL_MS, pauseMs: BATCH_PAUSE_MS });
}
