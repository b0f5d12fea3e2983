import PgBoss from 'pg-boss';
import type { Database, Tx } from './database.ts';
import { getErrorReason } from './error-reason.ts';
import { createJobWorker, type JobHandler, type JobWorker } from './job-worker.ts';

/** A queue: how long a job may run, and how often it is tried again. */
export interface JobQueueDefinition {
  name: string;
  /** Seconds after which a job counts as lost with its worker; above every provider's time-out (20 s). */
  expireInSeconds: number;
  retryLimit: number;
  /** Seconds before the second try; doubled with each further one. */
  retryDelay: number;
}

/** Work that happens later, kept in PostgreSQL. */
export interface JobScheduler {
  /**
   * Adds a job in the transaction of what causes it. A payload holds ids, never anything private.
   * @param delaySeconds before which it is not begun
   */
  enqueue(
    tx: Tx,
    queue: JobQueueDefinition,
    payload: Record<string, string>,
    delaySeconds?: number,
  ): Promise<void>;
  /** Adds several jobs at once. */
  enqueueAll(tx: Tx, queue: JobQueueDefinition, payloads: readonly Record<string, string>[]): Promise<void>;
  /** Has jobs of a queue done, so many at a time; a handler that throws is tried again. */
  work(queue: JobQueueDefinition, handler: JobHandler, concurrency?: number): void;
  /**
   * Has one job of the queue made soon after a start and then every so many seconds, an hour at most, however many
   * instances ask.
   */
  repeat(queue: JobQueueDefinition, intervalSeconds: number): void;
  /** Of these values of a key of the payload, those whose job is still to be done, tried again, or under way. */
  findPending(queue: JobQueueDefinition, key: string, values: readonly string[]): Promise<Set<string>>;
  /** The same with those whose job used up its tries and is kept for an administrator. */
  findPendingOrFailed(
    queue: JobQueueDefinition,
    key: string,
    values: readonly string[],
  ): Promise<Set<string>>;
  /** Looks for work now instead of at the next poll: call it after the commit. */
  wake(queue: Pick<JobQueueDefinition, 'name'>): void;
  start(): Promise<void>;
  /**
   * Takes no new job, and waits for those under way, so many milliseconds at most; those that are not done by then are
   * handed back: they are tried again at once, by another worker, and it does not count as a try.
   */
  stop(timeoutMs?: number): Promise<void>;
}

interface JobLog {
  error(details: object, message: string): void;
}

const PGBOSS_SCHEMA = 'pgboss';

/** A process asks for what is repeated so soon after its start, and from then on every ten minutes at least. */
const FIRST_REPEAT_DELAY_MS = 20_000;

/** States are ordered: created, retry, active, and then those that are final. */
const PENDING_JOBS_SQL = `SELECT data->>$2 AS value FROM ${PGBOSS_SCHEMA}.job
  WHERE name = $1 AND (state < 'completed' OR $4 AND state = 'failed') AND data->>$2 = ANY($3::text[])`;

/** Without a start the next one does not count as a further try. */
const REQUEUE_JOB_SQL = `UPDATE ${PGBOSS_SCHEMA}.job SET state = 'retry', started_on = NULL, start_after = now()
  WHERE name = $1 AND id = $2 AND state = 'active'`;

/** Milliseconds for which the end waits for jobs under way, where nobody says another time. */
const DEFAULT_STOP_TIMEOUT_MS = 1_500;

/** Seconds for which a finished job is remembered: what is repeated cannot be told apart for longer. */
const COMPLETED_JOB_RETENTION_SECONDS = 3_600;

/** Seconds for which a job that used up its tries is kept, and days for which one waits for a worker. */
const FAILED_JOB_RETENTION_SECONDS = 30 * 86_400;
const PENDING_JOB_RETENTION_DAYS = 365;

/**
 * Makes the queues of one process, over the pool that everything else uses.
 * @param firstRepeatDelayMs after which what is repeated is asked for the first time
 */
export function createJobScheduler(
  database: Database,
  log: JobLog,
  firstRepeatDelayMs = FIRST_REPEAT_DELAY_MS,
): JobScheduler {
  const boss = new PgBoss({
    schema: PGBOSS_SCHEMA,
    migrate: false,
    schedule: false,
    // A dead worker's job comes back when it expires, and that is looked for this often, or half as often: a look that
    // comes a moment too early is skipped.
    maintenanceIntervalSeconds: 7,
    archiveCompletedAfterSeconds: COMPLETED_JOB_RETENTION_SECONDS,
    archiveFailedAfterSeconds: FAILED_JOB_RETENTION_SECONDS,
    deleteAfterDays: 2,
    retentionDays: PENDING_JOB_RETENTION_DAYS,
    db: { executeSql: (text, values) => database.pool.query(text, values) },
  });
  const logError = (error: Error) =>
    log.error({ err: error }, `jobs: no answer from the database (${getErrorReason(error)}), asked again`);
  boss.on('error', logError);
  const workers = new Map<string, JobWorker>();
  const timers: NodeJS.Timeout[] = [];
  let isStarted = false;
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
      await boss.send(queue.name, payload, { startAfter: delaySeconds, db: toPgBossDatabase(tx) });
    },
    async enqueueAll(tx, queue, payloads) {
      if (payloads.length === 0) return;
      const rows = payloads.map((data) => ({ name: queue.name, data }));
      await boss.insert(rows, { db: toPgBossDatabase(tx) });
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
        throw new RangeError(`${queue.name} is repeated every hour at least`);
      const enqueueRepeat = async () => {
        if (!isStarted) return;
        const sendOptions = { singletonKey: 'repeat', singletonSeconds: intervalSeconds };
        await boss.send(queue.name, {}, sendOptions).catch(logError);
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

/** Statements of pg-boss within a transaction. */
function toPgBossDatabase(tx: Tx) {
  return {
    executeSql: async (text: string, values: unknown[]) => ({
      rows: await tx.$queryRawUnsafe<unknown[]>(text, ...values),
    }),
  };
}

/** Makes the schema and the queues, as the owner of the database. Idempotent; part of migrating. */
export async function installJobQueues(
  ownerUrl: string,
  queues: readonly JobQueueDefinition[],
): Promise<void> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    schema: PGBOSS_SCHEMA,
    max: 1,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => {});
  await boss.start();
  try {
    for (const queue of queues) {
      const policy = { ...queue, policy: 'standard', retryBackoff: true } as const;
      await boss.createQueue(queue.name, policy);
      // One that is there keeps its old tries and expiry otherwise.
      await boss.updateQueue(queue.name, policy);
    }
  } finally {
    await boss.stop({ graceful: false, wait: true, close: true });
  }
}
