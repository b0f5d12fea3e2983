import { setTimeout as sleep } from 'node:timers/promises';
import type PgBoss from 'pg-boss';
import { reasonOf } from './error-reason.ts';

/** Milliseconds between looks for work when nobody wakes the worker. */
const POLL = 2_000;

/**
 * Milliseconds from being woken to the look, and how much chance adds: a job done while the request that caused it, or the
 * next one of the same client, is answered would tell by their times whether there was something to do.
 */
const SOONEST = 25;
const SPREAD = 75;

/** Does one job; what it throws has the job tried again. */
export type JobHandler = (payload: Record<string, unknown>) => Promise<void>;

/** What a handler throws to have its job tried again without a line in the log: it has said what there is to say. */
export class RetryQuietly extends Error {
  override readonly name = 'RetryQuietly';
}

export interface Worker {
  start(): void;
  wake(): void;
  /** Resolves when the job under way is done, or handed back after so many milliseconds. */
  stop(patience: number): Promise<void>;
}

/**
 * Does the jobs of one queue, one at a time, until stopped.
 * pg-boss's own worker leaves the promise of `complete` alone, so that a database that goes away at
 * that moment would end the process; here every promise is awaited.
 */
export function createWorker(
  boss: PgBoss,
  queue: string,
  handler: JobHandler,
  log: { error(details: object, message: string): void },
  handBack: (id: string) => Promise<void>,
): Worker {
  let stopped = true;
  let running: Promise<void> = Promise.resolve();
  let rest: { end: () => void } | null = null;
  let woken = false;
  let soon: NodeJS.Timeout | undefined;
  let underWay: string | null = null;

  async function run() {
    while (!stopped) {
      woken = false;
      const busy = await once().catch((error: unknown) => {
        log.error({ queue, err: error }, `jobs: a look for work failed (${reasonOf(error)})`);
        return false;
      });
      if (!busy && !woken && !stopped) await pause();
    }
  }

  async function once(): Promise<boolean> {
    const [job] = await boss.fetch<Record<string, unknown>>(queue, { includeMetadata: true });
    if (!job) return false;
    if (stopped) {
      await handBack(job.id);
      return false;
    }
    underWay = job.id;
    try {
      await handler(job.data ?? {});
      if (!isStillOurs()) return false;
    } catch (error) {
      if (!isStillOurs()) return false;
      const name = reasonOf(error);
      const isLast = job.retryCount >= job.retryLimit;
      const what = isLast ? 'was tried for the last time and is kept' : 'will be tried again';
      const message = `jobs: a job failed (${name}) and ${what}`;
      if (isLast || !(error instanceof RetryQuietly)) log.error({ queue, job: job.id, err: error }, message);
      // Only the kind of error is kept: its message may hold what must not be in a job's row.
      await boss.fail(queue, job.id, { name });
      return true;
    }
    await boss.complete(queue, job.id);
    return true;
  }

  /** Whether the job was not handed back while it was done: then it is somebody else's. */
  function isStillOurs(): boolean {
    const isOurs = underWay !== null;
    underWay = null;
    return isOurs;
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, POLL);
      function end() {
        clearTimeout(timer);
        rest = null;
        resolve();
      }
      rest = { end };
    });
  }

  return {
    start() {
      if (!stopped) return;
      stopped = false;
      running = run();
    },
    wake() {
      if (stopped) return;
      soon ??= setTimeout(
        () => {
          soon = undefined;
          woken = true;
          rest?.end();
        },
        SOONEST + Math.random() * SPREAD,
      );
    },
    async stop(patience) {
      stopped = true;
      clearTimeout(soon);
      soon = undefined;
      rest?.end();
      const late = new AbortController();
      const tooLong = sleep(patience, null, { signal: late.signal }).catch(() => {});
      await Promise.race([running, tooLong]);
      late.abort();
      const id = underWay;
      if (id === null) return;
      underWay = null;
      await handBack(id).catch((error: unknown) =>
        log.error({ queue, job: id, err: error }, `jobs: one could not be handed back (${reasonOf(error)})`),
      );
    },
  };
}
