import { getErrorCodeOrName } from '../../platform/error-reason.ts';
import {
  NOTIFICATION_DISPATCH_BATCH_SIZE,
  queueNotificationDeliveryBatch,
} from './dispatch-notifications.ts';
import type { NotificationDispatchServices } from './dispatch-services.ts';
import { postponeOldestDueNotification } from './due-notification.repository.ts';

const POLL_INTERVAL_MS = 2_000;

/** The transaction that calls `wake` is usually committed by then; otherwise the next poll finds its rows. */
const WAKE_DELAY_MS = 100;

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
  let stopped = true;
  let running: Promise<void> = Promise.resolve();
  let isWoken = false;
  let endSleep: (() => void) | null = null;
  let isPolling = false;
  let wakeTimer: NodeJS.Timeout | undefined;
  // After a failure one full batch is processed item by item, to find the item at fault.
  let singleItemBatchesLeft = 0;
  let isFailing = false;

  async function run(): Promise<void> {
    while (!stopped) {
      isWoken = false;
      const isBusy = await dispatchBatch();
      isPolling = !isBusy && !isWoken;
      if (!stopped) await sleep(isPolling ? POLL_INTERVAL_MS : BATCH_PAUSE_MS);
    }
  }

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

  function sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, milliseconds);
      function end() {
        clearTimeout(timer);
        endSleep = null;
        resolve();
      }
      endSleep = end;
    });
  }

  return {
    start() {
      if (!stopped) return;
      stopped = false;
      running = run();
    },
    wake() {
      if (stopped) return;
      wakeTimer ??= setTimeout(() => {
        wakeTimer = undefined;
        isWoken = true;
        if (isPolling) endSleep?.();
      }, WAKE_DELAY_MS);
    },
    async stop() {
      stopped = true;
      clearTimeout(wakeTimer);
      wakeTimer = undefined;
      endSleep?.();
      await running;
    },
  };
}
