import { getErrorReason } from '../../platform/error-reason.ts';
import { DISPATCH_BATCH_SIZE, dispatchNotificationBatch } from './dispatch-notifications.ts';
import type { DispatchServices } from './dispatch-services.ts';
import { postponeOldestNotification } from './due-notification.repository.ts';

/** Milliseconds between looks for what is due when nobody wakes it. */
const POLL_INTERVAL_MS = 2_000;

/** Milliseconds from being woken to the look: what is being told is committed by then; where it is not, the next look finds it. */
const WAKE_DELAY_MS = 100;

/** Milliseconds between two batches, so that a rush leaves room to others. */
const BATCH_PAUSE_MS = 50;

/** How long what cannot be sent is left alone. */
const POSTPONE_MS = 60_000;

/** Sends notifications for as long as a process lives, taking turns with those of other instances. */
export interface NotificationDispatcher {
  start(): void;
  /** Looks for what is due soon instead of at the next poll. */
  wake(): void;
  /** Takes nothing new, and resolves when the batch under way is done. */
  stop(): Promise<void>;
}

/** A dispatcher that does nothing until it is started. */
export function createNotificationDispatcher(services: DispatchServices): NotificationDispatcher {
  const { database, log } = services;
  let stopped = true;
  let running: Promise<void> = Promise.resolve();
  let isWoken = false;
  let endSleep: (() => void) | null = null;
  let isPolling = false;
  let wakeTimer: NodeJS.Timeout | undefined;
  /** Looks that take one at a time: as many as a batch has, after a failure, so that the one at fault is found. */
  let singleItemBatchesLeft = 0;
  let isFailing = false;

  async function run(): Promise<void> {
    while (!stopped) {
      isWoken = false;
      const isBusy = await look();
      isPolling = !isBusy && !isWoken;
      if (!stopped) await rest(isPolling ? POLL_INTERVAL_MS : BATCH_PAUSE_MS);
    }
  }

  async function look(): Promise<boolean> {
    const now = new Date();
    try {
      const count = await dispatchNotificationBatch(
        services,
        now,
        singleItemBatchesLeft > 0 ? 1 : DISPATCH_BATCH_SIZE,
      );
      singleItemBatchesLeft = count > 0 ? Math.max(0, singleItemBatchesLeft - 1) : 0;
      isFailing = false;
      return count > 0;
    } catch (error) {
      const message = `notifications: could not be sent (${getErrorReason(error)}), tried again`;
      if (!isFailing) log.error({ err: error }, message);
      isFailing = true;
      // Where the database is away, this fails as well.
      if (singleItemBatchesLeft > 0)
        await postponeOldestNotification(database.client, now, new Date(now.getTime() + POSTPONE_MS)).catch(
          () => {},
        );
      singleItemBatchesLeft = singleItemBatchesLeft > 0 ? singleItemBatchesLeft - 1 : DISPATCH_BATCH_SIZE;
      return false;
    }
  }

  function rest(milliseconds: number): Promise<void> {
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
