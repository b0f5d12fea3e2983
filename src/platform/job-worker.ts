import { setTimeout as sleep } from 'node:timers/promises';
import type PgBoss from 'pg-boss';
import { type Span, type SpanOptions, traceWork } from '../shared/tracing.ts';
import { getErrorCodeOrName } from './error-reason.ts';
import { jobDuration, lastJobFetch } from './monitoring/metrics.ts';

/** Without a wake-up. */
const POLL_INTERVAL_MS = 2_000;

/** Random, so that the time of a response, or of the client's next one, does not reveal whether there was work. */
const MIN_WAKE_DELAY_MS = 25;
const WAKE_JITTER_MS = 75;

export type JobHandler = (payload: Record<string, unknown>) => Promise<void>;

/** Retry the job without a log line: the handler has logged what matters. */
export class SilentRetryError extends Error {
  override readonly name = 'SilentRetryError';
}

export interface JobWorker {
  start(): void;
  wake(): void;
  stop(timeoutMs: number): Promise<void>;
}

/** Describe the span of a producer or a consumer of jobs. */
export function describeJobSpan(
  operation: 'send' | 'process',
  queue: string,
): Required<Pick<SpanOptions, 'kind' | 'attributes'>> & { name: string } {
  return {
    name: `${operation} ${queue}`,
    kind: operation === 'send' ? 'producer' : 'consumer',
    attributes: {
      'messaging.system': 'pg-boss',
      'messaging.operation.type': operation,
      'messaging.operation.name': operation,
      'messaging.destination.name': queue,
    },
  };
}

/** Create a worker for one queue. pg-boss's own leaves a promise unhandled when the database is lost. */
export function createJobWorker(
  boss: PgBoss,
  { queue, handler, concurrency }: { queue: string; handler: JobHandler; concurrency: number },
  log: { error(details: object, message: string): void },
  requeue: (id: string) => Promise<void>,
): JobWorker {
  let stopped = true;
  let running: Promise<unknown> = Promise.resolve();
  let pausedLoop: { end: () => void } | null = null;
  let isWoken = false;
  let wakeTimer: NodeJS.Timeout | undefined;
  const activeJobs = new Map<string, Promise<void>>();

  async function run() {
    while (!stopped) {
      isWoken = false;
      const freeSlots = concurrency - activeJobs.size;
      const found = await startJobs(freeSlots).catch((error: unknown) => {
        log.error({ queue, err: error }, `jobs: fetching jobs failed (${getErrorCodeOrName(error)})`);
        return 0;
      });
      if (activeJobs.size === concurrency) await Promise.race(activeJobs.values());
      else if (found < freeSlots && !isWoken && !stopped) await pause();
    }
    await Promise.all(activeJobs.values());
  }

  async function startJobs(limit: number): Promise<number> {
    const jobs = await boss.fetch<Record<string, unknown>>(queue, {
      includeMetadata: true,
      batchSize: limit,
    });
    lastJobFetch.setToCurrentTime();
    for (const job of jobs) {
      if (stopped) await requeue(job.id);
      else activeJobs.set(job.id, processJob(job));
    }
    return jobs.length;
  }

  async function processJob(job: PgBoss.JobWithMetadata<Record<string, unknown>>): Promise<void> {
    const { traceparent, ...payload } = job.data ?? {};
    const { name, ...options } = describeJobSpan('process', queue);
    const parent = typeof traceparent === 'string' ? traceparent : undefined;
    try {
      await traceWork(name, { ...options, traceparent: parent }, (span) => runHandler(job, payload, span));
    } catch (error) {
      log.error(
        { queue, job: job.id, err: error },
        `jobs: the outcome of a job could not be recorded (${getErrorCodeOrName(error)})`,
      );
    } finally {
      activeJobs.delete(job.id);
    }
  }

  async function runHandler(
    job: PgBoss.JobWithMetadata<Record<string, unknown>>,
    payload: Record<string, unknown>,
    span: Span | undefined,
  ): Promise<void> {
    const stopTimer = jobDuration.startTimer({ queue });
    try {
      await handler(payload);
      stopTimer({ outcome: 'done' });
      // A requeued job belongs to another worker.
      if (!activeJobs.has(job.id)) return;
    } catch (error) {
      stopTimer({ outcome: 'failed' });
      span?.recordError(error);
      if (!activeJobs.has(job.id)) return;
      const name = getErrorCodeOrName(error);
      const isLast = job.retryCount >= job.retryLimit;
      const outcome = isLast ? 'has no tries left' : 'will be retried';
      const message = `jobs: a job failed (${name}) and ${outcome}`;
      if (isLast || !(error instanceof SilentRetryError))
        log.error({ queue, job: job.id, err: error }, message);
      // Store only the error's name: its message can hold what a job row must not.
      await boss.fail(queue, job.id, { name });
      return;
    }
    await boss.complete(queue, job.id);
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, POLL_INTERVAL_MS);
      function end() {
        clearTimeout(timer);
        pausedLoop = null;
        resolve();
      }
      pausedLoop = { end };
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
      wakeTimer ??= setTimeout(
        () => {
          wakeTimer = undefined;
          isWoken = true;
          pausedLoop?.end();
        },
        MIN_WAKE_DELAY_MS + Math.random() * WAKE_JITTER_MS,
      );
    },
    async stop(timeoutMs) {
      stopped = true;
      clearTimeout(wakeTimer);
      wakeTimer = undefined;
      pausedLoop?.end();
      const timeoutAbort = new AbortController();
      const timeout = sleep(timeoutMs, null, { signal: timeoutAbort.signal }).catch(() => {});
      await Promise.race([running, timeout]);
      timeoutAbort.abort();
      const ids = [...activeJobs.keys()];
      activeJobs.clear();
      await Promise.all(
        ids.map((id) =>
          requeue(id).catch((error: unknown) =>
            log.error(
              { queue, job: id, err: error },
              `jobs: a job could not be requeued (${getErrorCodeOrName(error)})`,
            ),
          ),
        ),
      );
    },
  };
}
