import type { SendCheckpoint } from './checkpoints.port.ts';

const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Create a sender that posts each checkpoint as JSON; the response must be 2xx, and redirects are not
 * followed.
 */
export function createHttpCheckpointSender(url: string): SendCheckpoint {
  return async (line) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: line,
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The checkpoint server responded with status ${response.status}.`);
  };
}
