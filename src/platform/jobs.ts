import PgBoss from 'pg-boss';
import type { Database, Tx } from './database.ts';
import { reasonOf } from './error-reason.ts';
import { createWorker, type JobHandler, type Worker } from './job-worker.ts';

/** A queue: how long a job may run, and how often it is tried again. */
export interface Queue {
  name: string;
  /** Seconds after which a job counts as lost with its worker; above every provider's time-out (20 s). */
  expireInSeconds: number;
  retryLimit: number;
  /** Seconds before the second try; doubled with each further one. */
  retryDelay: number;
}

/** Work that happens later, kept in PostgreSQL. */
export interface Jobs {
  /**
   * Adds a job in the transaction of what causes it. A payload holds ids, never anything private.
   * @param afterSeconds before which it is not begun
   */
  enqueue(tx: Tx, queue: Queue, payload: Record<string, string>, afterSeconds?: number): Promise<void>;
  /** Adds several jobs at once. */
  enqueueAll(tx: Tx, queue: Queue, payloads: readonly Record<string, string>[]): Promise<void>;
  /** Has jobs of a queue done, so many at a time; a handler that throws is tried again. */
  work(queue: Queue, handler: JobHandler, parallel?: number): void;
  /**
   * Has one job of the queue made soon after a start and then every so many seconds, an hour at most, however many
   * instances ask.
   */
  repeat(queue: Queue, everySeconds: number): void;
  /** Of these values of a key of the payload, those whose job is still to be done, tried again, or under way. */
  due(queue: Queue, key: string, values: readonly string[]): Promise<Set<string>>;
  /** The same with those whose job used up its tries and is kept for an administrator. */
  dueOrDead(queue: Queue, key: string, values: readonly string[]): Promise<Set<string>>;
  /** Looks for work now instead of at the next poll: call it after the commit. */
  wake(queue: Pick<Queue, 'name'>): void;
  start(): Promise<void>;
  /**
   * Takes no new job, and waits for those under way, so many milliseconds at most; those that are not done by then are
   * handed back: they are tried again at once, by another worker, and it does not count as a try.
   */
  stop(patience?: number): Promise<void>;
}

interface Log {
  error(details: object, message: string): void;
}

const SCHEMA = 'pgboss';

/** A process asks for what is repeated so soon after its start, and from then on every ten minutes at least. */
const FIRST_ASKED_MS = 20_000;

/** States are ordered: created, retry, active, and then those that are final. */
const DUE = `SELECT data->>$2 AS value FROM ${SCHEMA}.job
  WHERE name = $1 AND (state < 'completed' OR $4 AND state = 'failed') AND data->>$2 = ANY($3::text[])`;

/** Without a start the next one does not count as a further try. */
const HAND_BACK = `UPDATE ${SCHEMA}.job SET state = 'retry', started_on = NULL, start_after = now()
  WHERE name = $1 AND id = $2 AND state = 'active'`;

/** Milliseconds for which the end waits for jobs under way, where nobody says another time. */
const PATIENCE = 1_500;

/** Seconds for which a finished job is remembered: what is repeated cannot be told apart for longer. */
const REMEMBERED = 3_600;

/** Seconds for which a job that used up its tries is kept, and days for which one waits for a worker. */
const DEAD_KEPT = 30 * 86_400;
const WAITS_DAYS = 365;

/**
 * Makes the queues of one process, over the pool that everything else uses.
 * @param firstAskedMs after which what is repeated is asked for the first time
 */
export function createJobs(database: Database, log: Log, firstAskedMs = FIRST_ASKED_MS): Jobs {
  const boss = new PgBoss({
    schema: SCHEMA,
    migrate: false,
    schedule: false,
    // A dead worker's job comes back when it expires, and that is looked for this often, or half as often: a look that
    // comes a moment too early is skipped.
    maintenanceIntervalSeconds: 7,
    archiveCompletedAfterSeconds: REMEMBERED,
    archiveFailedAfterSeconds: DEAD_KEPT,
    deleteAfterDays: 2,
    retentionDays: WAITS_DAYS,
    db: { executeSql: (text, values) => database.pool.query(text, values) },
  });
  const complain = (error: Error) =>
    log.error({ err: error }, `jobs: no answer from the database (${reasonOf(error)}), asked again`);
  boss.on('error', complain);
  const workers = new Map<string, Worker>();
  const timers: NodeJS.Timeout[] = [];
  let started = false;
  async function findDue(queue: Queue, key: string, values: readonly string[], orDead: boolean) {
    const { rows } = await database.pool.query<{ value: string }>(DUE, [
      queue.name,
      key,
      [...values],
      orDead,
    ]);
    return new Set(rows.map(({ value }) => value));
  }
  return {
    async enqueue(tx, queue, payload, afterSeconds = 0) {
      await boss.send(queue.name, payload, { startAfter: afterSeconds, db: within(tx) });
    },
    async enqueueAll(tx, queue, payloads) {
      if (payloads.length === 0) return;
      const rows = payloads.map((data) => ({ name: queue.name, data }));
      await boss.insert(rows, { db: within(tx) });
    },
    work(queue, handler, parallel = 1) {
      const handBack = async (id: string) => {
        await database.pool.query(HAND_BACK, [queue.name, id]);
      };
      const worker = createWorker(boss, { queue: queue.name, handler, parallel }, log, handBack);
      workers.set(queue.name, worker);
      if (started) worker.start();
    },
    repeat(queue, everySeconds) {
      if (everySeconds > REMEMBERED) throw new RangeError(`${queue.name} is repeated every hour at least`);
      const ask = async () => {
        if (!started) return;
        const once = { singletonKey: 'repeat', singletonSeconds: everySeconds };
        await boss.send(queue.name, {}, once).catch(complain);
      };
      timers.push(setInterval(ask, Math.min(everySeconds, 600) * 1000).unref());
      timers.push(setTimeout(ask, firstAskedMs).unref());
    },
    due: (queue, key, values) => findDue(queue, key, values, false),
    dueOrDead: (queue, key, values) => findDue(queue, key, values, true),
    wake: (queue) => workers.get(queue.name)?.wake(),
    async start() {
      await boss.start();
      started = true;
      for (const worker of workers.values()) worker.start();
    },
    async stop(patience = PATIENCE) {
      started = false;
      for (const timer of timers) clearInterval(timer);
      await Promise.all([...workers.values()].map((worker) => worker.stop(patience)));
      await boss.stop({ graceful: false, wait: true, close: false });
    },
  };
}

/** Statements of pg-boss within a transaction. */
function within(tx: Tx) {
  return {
    executeSql: async (text: string, values: unknown[]) => ({
      rows: await tx.$queryRawUnsafe<unknown[]>(text, ...values),
    }),
  };
}

/** Makes the schema and the queues, as the owner of the database. Idempotent; part of migrating. */
export async function installJobs(ownerUrl: string, queues: readonly Queue[]): Promise<void> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    schema: SCHEMA,
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
