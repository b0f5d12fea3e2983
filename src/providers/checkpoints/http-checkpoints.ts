import type { SendCheckpoint } from './checkpoints.port.ts';

/** Milliseconds for the whole of it. */
const TIMEOUT = 5_000;

/** Sends each checkpoint as JSON by POST to one address, which must answer 2xx. Redirects are not followed. */
export function sendCheckpointsTo(url: string): SendCheckpoint {
  return async (line) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: line,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`The target of checkpoints answered ${answer.status}.`);
  };
}
