const FIRST_DELAY_MS = 500;

/** Compute the pause before an attempt: it doubles, and is random so that clients do not come at the same time. */
export function computeBackoffMs(attempt: number, maxMs: number): number {
  return Math.min(maxMs, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}

/** Wait, or throw the reason of the signal as soon as it is aborted. */
export async function waitMs(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await abortable(elapsed, signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Await what several callers share: each one stops waiting at its own signal. */
export function abortable<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
