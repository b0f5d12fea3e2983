import { getErrorReason } from '../../platform/error-reason.ts';
import { AT_ONCE, dispatchBatch } from './dispatch-notifications.ts';
import type { DispatchServices } from './dispatch-services.ts';
import { putOffOldest } from './due.repository.ts';

/** Milliseconds between looks for what is due when nobody wakes it. */
const POLL = 2_000;

/** Milliseconds from being woken to the look: what is being told is committed by then; where it is not, the next look finds it. */
const SOON = 100;

/** Milliseconds between two batches, so that a rush leaves room to others. */
const PAUSE = 50;

/** How long what cannot be sent is left alone. */
const PUT_OFF = 60_000;

/** Sends notifications for as long as a process lives, taking turns with those of other instances. */
export interface Dispatcher {
  start(): void;
  /** Looks for what is due soon instead of at the next poll. */
  wake(): void;
  /** Takes nothing new, and resolves when the batch under way is done. */
  stop(): Promise<void>;
}

/** A dispatcher that does nothing until it is started. */
export function createDispatcher(services: DispatchServices): Dispatcher {
  const { database, log } = services;
  let stopped = true;
  let running: Promise<void> = Promise.resolve();
  let isWoken = false;
  let endRest: (() => void) | null = null;
  let isPolling = false;
  let soon: NodeJS.Timeout | undefined;
  /** Looks that take one at a time: as many as a batch has, after a failure, so that the one at fault is found. */
  let careful = 0;
  let isFailing = false;

  async function run(): Promise<void> {
    while (!stopped) {
      isWoken = false;
      const isBusy = await look();
      isPolling = !isBusy && !isWoken;
      if (!stopped) await rest(isPolling ? POLL : PAUSE);
    }
  }

  async function look(): Promise<boolean> {
    const now = new Date();
    try {
      const count = await dispatchBatch(services, now, careful > 0 ? 1 : AT_ONCE);
      careful = count > 0 ? Math.max(0, careful - 1) : 0;
      isFailing = false;
      return count > 0;
    } catch (error) {
      const message = `notifications: could not be sent (${getErrorReason(error)}), tried again`;
      if (!isFailing) log.error({ err: error }, message);
      isFailing = true;
      // Where the database is away, this fails as well.
      if (careful > 0)
        await putOffOldest(database.client, now, new Date(now.getTime() + PUT_OFF)).catch(() => {});
      careful = careful > 0 ? careful - 1 : AT_ONCE;
      return false;
    }
  }

  function rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, milliseconds);
      function end() {
        clearTimeout(timer);
        endRest = null;
        resolve();
      }
      endRest = end;
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
      soon ??= setTimeout(() => {
        soon = undefined;
        isWoken = true;
        if (isPolling) endRest?.();
      }, SOON);
    },
    async stop() {
      stopped = true;
      clearTimeout(soon);
      soon = undefined;
      endRest?.();
      await running;
    },
  };
}
