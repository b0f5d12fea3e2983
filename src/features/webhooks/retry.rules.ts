import { HOUR_SECONDS, MINUTE_SECONDS } from '../../shared/durations.ts';

/** The schedule of Standard Webhooks: ten attempts within 76 hours. */
const RETRY_DELAYS_SECONDS = [
  5,
  5 * MINUTE_SECONDS,
  30 * MINUTE_SECONDS,
  2 * HOUR_SECONDS,
  5 * HOUR_SECONDS,
  10 * HOUR_SECONDS,
  14 * HOUR_SECONDS,
  20 * HOUR_SECONDS,
  24 * HOUR_SECONDS,
];

/** Spreads what failed at the same time. */
const JITTER = 0.2;

/** An endpoint that only fails for this long is disabled. */
export const MAX_FAILING_MS = 72 * HOUR_SECONDS * 1000;

/** A batch without a success can be chance. */
const MAX_FAILED_BATCHES_WITHOUT_PAUSE = 1;
const MIN_PAUSE_SECONDS = 5;
const MAX_PAUSE_SECONDS = 10 * MINUTE_SECONDS;

/** Milliseconds until the next attempt after a number of failures; null if it was the last. */
export function getRetryDelayMs(failures: number, random = Math.random()): number | null {
  const seconds = RETRY_DELAYS_SECONDS[failures - 1];
  return seconds === undefined ? null : addJitter(seconds, random);
}

/** Milliseconds for which nothing is sent to an endpoint after a number of batches without a success. */
export function getEndpointPauseMs(failedBatches: number, random = Math.random()): number {
  const exponent = failedBatches - MAX_FAILED_BATCHES_WITHOUT_PAUSE - 1;
  if (exponent < 0) return 0;
  return addJitter(Math.min(MAX_PAUSE_SECONDS, MIN_PAUSE_SECONDS * 2 ** exponent), random);
}

function addJitter(seconds: number, random: number): number {
  return Math.round(seconds * 1000 * (1 + JITTER * random));
}
