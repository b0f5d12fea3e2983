import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS } from '../../shared/durations.ts';

const RETRY_DELAY_MS = HOUR_MS;

interface RepeatOptions {
  intervalMs: number;
  /** When the last backup began, in Unix milliseconds. */
  lastBackupAt: number | undefined;
  /** Returns whether the backup is complete. */
  runBackup: () => Promise<boolean>;
  /** Returns early when `signal` is aborted. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
}

/** Run a backup in each interval, and again an hour after a failed one, until `signal` is aborted. */
export async function repeatBackup({
  intervalMs,
  lastBackupAt,
  runBackup,
  wait = waitUntilAborted,
  signal,
}: RepeatOptions): Promise<void> {
  let dueAt = lastBackupAt === undefined ? 0 : lastBackupAt + intervalMs;
  while (!signal.aborted) {
    const waitMs = dueAt - Date.now();
    if (waitMs > 0) {
      console.log(`Next backup: ${new Date(dueAt).toISOString()}`);
      await wait(waitMs, signal);
      if (signal.aborted) return;
    }
    const startedAt = Date.now();
    dueAt = (await runBackup()) ? startedAt + intervalMs : Date.now() + RETRY_DELAY_MS;
  }
}

async function waitUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
