import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeoutError } from './http/database-errors.ts';

const MAX_ATTEMPTS = 30;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/**
 * Retry a change of the schema that may not get its lock: it must not wait long, since all that come after it wait too.
 * @throws what the last attempt threw
 */
export async function retryWhileLocked<Result>(
  work: () => Promise<Result>,
  maxAttempts = MAX_ATTEMPTS,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= maxAttempts || !isLockTimeoutError(error)) throw error;
      await sleep(Math.min(MIN_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS) * (0.5 + Math.random() / 2));
    }
  }
}
