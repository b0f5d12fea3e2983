let minTimeoutMs = 0;

/**
 * Set the minimum of all time limits of worker threads and processes: a busy test machine answers late.
 * @returns the previous one
 */
export function setMinTaskTimeout(ms: number): number {
  const previous = minTimeoutMs;
  minTimeoutMs = ms;
  return previous;
}

/** A task that took too long, and was ended. */
export class TaskTimeoutError extends Error {}

/** End a task that takes longer than `ms`, or than the minimum of `setMinTaskTimeout`. */
export function startTaskTimeout(ms: number, end: (cause: Error) => void): NodeJS.Timeout {
  const timeoutMs = Math.max(ms, minTimeoutMs);
  return setTimeout(() => end(new TaskTimeoutError(`A task took longer than ${timeoutMs} ms.`)), timeoutMs);
}
