import { setTimeout as wait } from 'node:timers/promises';

const WINDOW_MS = 60_000;

/**
 * Wait until the rate-limit window has at least so many seconds left. Windows follow the clock, and a test that counts
 * up to a limit must run within one.
 */
export async function waitForRateWindow(seconds: number): Promise<void> {
  const remainingMs = WINDOW_MS - (Date.now() % WINDOW_MS);
  if (remainingMs < seconds * 1000) await wait(remainingMs + 10);
}
