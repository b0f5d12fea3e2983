import { setTimeout as wait } from 'node:timers/promises';
import type { Test } from 'tap';

const WINDOW_MS = 60_000;

/**
 * Hold the clock of this process at the end of the current rate-limit window until the test ends. A test that counts up to
 * a limit never reaches the next window, however slow the machine is.
 */
export function freezeRateWindow(t: Test): void {
  const { now } = Date;
  const windowEndsAt = getWindowEnd();
  Date.now = () => Math.min(now(), windowEndsAt - 1);
  t.teardown(() => {
    Date.now = now;
  });
}

/** Wait until the window has at least so many seconds left, for a test whose processes have clocks of their own. */
export async function waitForRateWindow(seconds: number): Promise<void> {
  const remainingMs = getWindowEnd() - Date.now();
  if (remainingMs < seconds * 1000) await wait(remainingMs + 10);
}

function getWindowEnd(): number {
  return (Math.floor(Date.now() / WINDOW_MS) + 1) * WINDOW_MS;
}
