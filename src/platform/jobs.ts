import PgBoss from 'pg-boss';
import { HOUR_SECONDS } from '../shared/durations.ts';
import { LIFETIMES_SECONDS } from '../shared/lifetimes.ts';
import { type Span, traceCall } from '../shared/tracing.ts';
import type { Database, Tx } from './database.ts';
import { connectDatabaseClient, OWNER_SESSION } from './database-client.ts';
import { getErrorCodeOrName } from './error-reason.ts';
import { createJobWorker, describeJobSpan, type JobHandler, type JobWorker } from './job-worker.ts';

export interface JobQueueDefinition {
  name: string;
  /** After this a job counts as lost with its worker; above every provider timeout (20 s). */
  expireInSeconds: number;
  retryLimit: number;
  retryDelay: number;
}

export interface JobScheduler {
  /** Enqueue a job in the transaction that causes it. A payload holds ids, never private data. */
  enqueue(
    tx: Tx,
    queue: JobQueueDefinition,
    payload: Record<string, string>,
    delaySeconds?: number,
  ): Promise<void>;
  enqueueAll(tx: Tx, queue: JobQueueDefinition, payloads: readonly Record<string, string>[]): Promise<void>;
  work(queue: JobQueueDefinition, handler: JobHandler, concurrency?: number): void;
  /** Repeat a job every `intervalSeconds` (at most an hour), once for all instances. */
  repeat(queue: JobQueueDefinition, intervalSeconds: number): void;
  /** Find the values of a payload key whose job is queued, to be retried, or active. */
  findPending(queue: JobQueueDefinition, key: string, values: readonly string[]): Promise<Set<string>>;
  findPendingOrFailed(
    queue: JobQueueDefinition,
    key: string,
    values: readonly string[],
  ): Promise<Set<string>>;
  /** Poll now; call it after the commit. */
  wake(queue: Pick<JobQueueDefinition, 'name'>): void;
  start(): Promise<void>;
  /** Take no new job, wait up to `timeoutMs` for active ones and requeue the rest without counting a try. */
  stop(timeoutMs?: number): Promise<void>;
}

interface JobLog {
  error(details: object, message: string): void;
}

const PGBOSS_SCHEMA = 'pgboss';

/** First run of recurring jobs after a start; then at least every ten minutes. */
const FIRST_REPEAT_DELAY_MS = 20_000;

/** States are ordered: created, retry, active, then the final ones. */
const PENDING_JOBS_SQL = `SELECT data->>$2 AS value FROM ${PGBOSS_SCHEMA}.job
  WHERE name = $1 AND (state < 'completed' OR $4 AND state = 'failed') AND data->>$2 = ANY($3::text[])`;

/** Clearing the start keeps the next run from counting as a further try. */
const REQUEUE_JOB_SQL = `UPDATE ${PGBOSS_SCHEMA}.job SET state = 'retry', started_on = NULL, start_after = now()
  WHERE name = $1 AND id = $2 AND state = 'active'`;

const DEFAULT_STOP_TIMEOUT_MS = 1_500;

/** Finished jobs are remembered this long, which limits the interval of recurring jobs. */
const COMPLETED_JOB_RETENTION_SECONDS = HOUR_SECONDS;

const PENDING_JOB_RETENTION_DAYS = 365;

export function createJobScheduler(
  database: Database,
  log: JobLog,
  firstRepeatDelayMs = FIRST_REPEAT_DELAY_MS,
): JobScheduler {
  const boss = new PgBoss({
    schema: PGBOSS_SCHEMA,
    migrate: false,
    schedule: false,
    // Jobs of a lost worker return when they expire. The check may run half as often: one too early is skipped.
    maintenanceIntervalSeconds: 7,
    archiveCompletedAfterSeconds: COMPLETED_JOB_RETENTION_SECONDS,
    archiveFailedAfterSeconds: LIFETIMES_SECONDS.failedJob,
    deleteAfterDays: 2,
    retentionDays: PENDING_JOB_RETENTION_DAYS,
    db: { executeSql: (text, values) => database.pool.query(text, values) },
  });
  const logError = (error: Error) =>
    log.error({ err: error }, `jobs: database unavailable (${getErrorCodeOrName(error)}), retrying`);
  boss.on('error', logError);
  const workers = new Map<string, JobWorker>();
  const timers: NodeJS.Timeout[] = [];
  let isStarted = false;
  /** One after another: while commits wait, all at once would take every connection from requests. */
  let repeats = Promise.resolve();
  const dueRepeats = new Set<string>();
  async function findDue(
    queue: JobQueueDefinition,
    key: string,
    values: readonly string[],
    includeFailed: boolean,
  ) {
    const { rows } = await database.pool.query<{ value: string }>(PENDING_JOBS_SQL, [
      queue.name,
      key,
      [...values],
      includeFailed,
    ]);
    return new Set(rows.map(({ value }) => value));
  }
  return {
    async enqueue(tx, queue, payload, delaySeconds = 0) {
      const options = { startAfter: delaySeconds, db: toPgBossDatabase(tx) };
      await traceEnqueue(queue, (span) => boss.send(queue.name, withTraceparent(payload, span), options));
    },
    async enqueueAll(tx, queue, payloads) {
      if (payloads.length === 0) return;
      await traceEnqueue(queue, (span) => {
        const rows = payloads.map((payload) => ({ name: queue.name, data: withTraceparent(payload, span) }));
        return boss.insert(rows, { db: toPgBossDatabase(tx) });
      });
    },
    work(queue, handler, concurrency = 1) {
      const requeue = async (id: string) => {
        await database.pool.query(REQUEUE_JOB_SQL, [queue.name, id]);
      };
      const worker = createJobWorker(boss, { queue: queue.name, handler, concurrency }, log, requeue);
      workers.set(queue.name, worker);
      if (isStarted) worker.start();
    },
    repeat(queue, intervalSeconds) {
      if (intervalSeconds > COMPLETED_JOB_RETENTION_SECONDS)
        throw new RangeError(`${queue.name} must be repeated at least every hour`);
      const enqueueRepeat = () => {
        if (dueRepeats.has(queue.name)) return;
        dueRepeats.add(queue.name);
        repeats = repeats.then(async () => {
          dueRepeats.delete(queue.name);
          if (!isStarted) return;
          const sendOptions = { singletonKey: 'repeat', singletonSeconds: intervalSeconds };
          await boss.send(queue.name, {}, sendOptions).catch(logError);
        });
      };
      timers.push(setInterval(enqueueRepeat, Math.min(intervalSeconds, 600) * 1000).unref());
      timers.push(setTimeout(enqueueRepeat, firstRepeatDelayMs).unref());
    },
    findPending: (queue, key, values) => findDue(queue, key, values, false),
    findPendingOrFailed: (queue, key, values) => findDue(queue, key, values, true),
    wake: (queue) => workers.get(queue.name)?.wake(),
    async start() {
      await boss.start();
      isStarted = true;
      for (const worker of workers.values()) worker.start();
    },
    async stop(timeoutMs = DEFAULT_STOP_TIMEOUT_MS) {
      isStarted = false;
      for (const timer of timers) clearInterval(timer);
      await Promise.all([...workers.values()].map((worker) => worker.stop(timeoutMs)));
      await boss.stop({ graceful: false, wait: true, close: false });
    },
  };
}

function traceEnqueue<Result>(
  queue: JobQueueDefinition,
  enqueue: (span: Span | undefined) => Result,
): Result {
  const { name, ...options } = describeJobSpan('send', queue.name);
  return traceCall(name, options, enqueue);
}

/** Random ids of the trace: the job is a part of it, in whichever process it runs. */
function withTraceparent(payload: Record<string, string>, span: Span | undefined): Record<string, string> {
  return span ? { ...payload, traceparent: span.traceparent } : payload;
}

function toPgBossDatabase(tx: Tx) {
  return {
    executeSql: async (text: string, values: unknown[]) => ({
      rows: await tx.$queryRawUnsafe<unknown[]>(text, ...values),
    }),
  };
}

/** Create schema and queues as the owner of the database; part of migrating. Idempotent. */
export async function installJobQueues(
  ownerUrl: string,
  queues: readonly JobQueueDefinition[],
): Promise<void> {
  const client = await connectDatabaseClient(ownerUrl, OWNER_SESSION);
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    schema: PGBOSS_SCHEMA,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => {});
  try {
    // Parallel first starts would create the same tables and queues.
    await client.query("SELECT pg_advisory_lock(hashtext('qr-profile-service job queues'))");
    await boss.start();
    for (const queue of queues) {
      const policy = { ...queue, policy: 'standard', retryBackoff: true } as const;
      await boss.createQueue(queue.name, policy);
      // An existing queue would keep its old retry and expiry settings.
      await boss.updateQueue(queue.name, policy);
    }
  } finally {
    await boss.stop({ graceful: false, wait: true, close: false });
    await client.end();
  }
}
