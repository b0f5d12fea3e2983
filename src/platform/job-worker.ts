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
  /** Resolves when the jobs under way are done, or handed back after so many milliseconds. */
  stop(patience: number): Promise<void>;
}

/**
 * Does the jobs of one queue, so many at a time, until stopped.
 * pg-boss's own worker leaves the promise of `complete` alone, so that a database that goes away at
 * that moment would end the process; here every promise is awaited.
 */
export function createWorker(
  boss: PgBoss,
  { queue, handler, parallel }: { queue: string; handler: JobHandler; parallel: number },
  log: { error(details: object, message: string): void },
  handBack: (id: string) => Promise<void>,
): Worker {
  let stopped = true;
  let running: Promise<unknown> = Promise.resolve();
  let rest: { end: () => void } | null = null;
  let woken = false;
  let soon: NodeJS.Timeout | undefined;
  const underWay = new Map<string, Promise<void>>();

  async function run() {
    while (!stopped) {
      woken = false;
      const free = parallel - underWay.size;
      const found = await look(free).catch((error: unknown) => {
        log.error({ queue, err: error }, `jobs: a look for work failed (${reasonOf(error)})`);
        return 0;
      });
      if (underWay.size === parallel) await Promise.race(underWay.values());
      else if (found < free && !woken && !stopped) await pause();
    }
    await Promise.all(underWay.values());
  }

  /** Begins as many jobs as there are, up to a number; answers how many. */
  async function look(most: number): Promise<number> {
    const jobs = await boss.fetch<Record<string, unknown>>(queue, { includeMetadata: true, batchSize: most });
    for (const job of jobs) {
      if (stopped) await handBack(job.id);
      else underWay.set(job.id, whole(job));
    }
    return jobs.length;
  }

  async function whole(job: PgBoss.JobWithMetadata<Record<string, unknown>>): Promise<void> {
    try {
      await once(job);
    } catch (error) {
      log.error(
        { queue, job: job.id, err: error },
        `jobs: the end of one was not noted (${reasonOf(error)})`,
      );
    } finally {
      underWay.delete(job.id);
    }
  }

  async function once(job: PgBoss.JobWithMetadata<Record<string, unknown>>): Promise<void> {
    try {
      await handler(job.data ?? {});
      // One that was handed back while it was done is somebody else's.
      if (!underWay.has(job.id)) return;
    } catch (error) {
      if (!underWay.has(job.id)) return;
      const name = reasonOf(error);
      const isLast = job.retryCount >= job.retryLimit;
      const what = isLast ? 'was tried for the last time and is kept' : 'will be tried again';
      const message = `jobs: a job failed (${name}) and ${what}`;
      if (isLast || !(error instanceof RetryQuietly)) log.error({ queue, job: job.id, err: error }, message);
      // Only the kind of error is kept: its message may hold what must not be in a job's row.
      await boss.fail(queue, job.id, { name });
      return;
    }
    await boss.complete(queue, job.id);
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
      const ids = [...underWay.keys()];
      underWay.clear();
      await Promise.all(
        ids.map((id) =>
          handBack(id).catch((error: unknown) =>
            log.error(
              { queue, job: id, err: error },
              `jobs: one could not be handed back (${reasonOf(error)})`,
            ),
          ),
        ),
      );
    },
  };
}
