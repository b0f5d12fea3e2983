import { sendHttpRequest } from '../../shared/http-client.ts';
import type { SendCheckpoint } from './checkpoints.port.ts';

/** Milliseconds for the whole of it. */
const REQUEST_TIMEOUT_MS = 5_000;

/** Sends each checkpoint as JSON by POST to one address, which must answer 2xx. Redirects are not followed. */
export function createHttpCheckpointSender(url: string): SendCheckpoint {
  return async (line) => {
    const { status } = await sendHttpRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: line,
      timeoutMs: REQUEST_TIMEOUT_MS,
      maxResponseBytes: null,
    });
    if (status < 200 || status > 299) throw new Error(`The target of checkpoints answered ${status}.`);
  };
}
