interface PollLoopOptions {
  /** Look for work and do it; true if there may be more. Must not throw. */
  work: () => Promise<boolean>;
  pollIntervalMs: number;
  /** Between two calls while there is work. */
  pauseMs?: number;
}

export interface PollLoop {
  start(): void;
  /** Look for work soon instead of at the next poll. */
  wake(): void;
  /** Look for work now, or again if it is being looked for. */
  wakeNow(): void;
  /** Wait for the work under way, and do no more. */
  stop(): Promise<void>;
  readonly isStopped: boolean;
}

/** The transaction that calls `wake` is usually committed by then; otherwise the next poll finds its rows. */
const WAKE_DELAY_MS = 100;

/** Create a loop that works while there is work, and polls otherwise. */
export function createPollLoop({ work, pollIntervalMs, pauseMs = 0 }: PollLoopOptions): PollLoop {
  let isStopped = true;
  let running: Promise<void> = Promise.resolve();
  let isWoken = false;
  let isIdle = false;
  let endSleep: (() => void) | null = null;
  let wakeTimer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    while (!isStopped) {
      isWoken = false;
      const isBusy = await work();
      isIdle = !isBusy && !isWoken;
      const delayMs = isIdle ? pollIntervalMs : pauseMs;
      if (!isStopped && delayMs > 0) await sleep(delayMs);
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

  function wakeNow(): void {
    isWoken = true;
    if (isIdle) endSleep?.();
  }

  return {
    start() {
      if (!isStopped) return;
      isStopped = false;
      running = run();
    },
    wake() {
      if (isStopped) return;
      wakeTimer ??= setTimeout(() => {
        wakeTimer = undefined;
        wakeNow();
      }, WAKE_DELAY_MS);
    },
    wakeNow,
    async stop() {
      isStopped = true;
      clearTimeout(wakeTimer);
      wakeTimer = undefined;
      endSleep?.();
      await running;
    },
    get isStopped() {
      return isStopped;
    },
  };
}
