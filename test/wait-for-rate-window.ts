import { setTimeout as wait } from 'node:timers/promises';

const WINDOW_MS = 60_000;

/**
 * Waits until the window of the rate limits has at least so many seconds left. The windows follow the clock, so a test
 * that counts up to a limit must lie within one of them.
 */
export async function waitForRateWindow(seconds: number): Promise<void> {
  const left = WINDOW_MS - (Date.now() % WINDOW_MS);
  if (left < seconds * 1000) await wait(left + 10);
}
