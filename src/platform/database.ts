import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';

export type Tx = Prisma.TransactionClient;

export type Db = PrismaClient | Tx;

export type SqlStatement = Prisma.Sql;

export interface Database {
  client: PrismaClient;
  pool: pg.Pool;
  /** Run `work` in one transaction. Keep it short: no provider calls, no hashing. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Subscribe to the topics of `notifyAfterCommit`; returns a function that unsubscribes. */
  onCommit(listener: (topics: ReadonlySet<string>) => void): () => void;
  ping(): Promise<void>;
  close(): Promise<void>;
}

const topicsByTransaction = new WeakMap<Tx, Set<string>>();

export function notifyAfterCommit(tx: Tx, topic: string): void {
  topicsByTransaction.get(tx)?.add(topic);
}

/** Below the time limit of a transaction, so that nothing commits after it. */
const STATEMENT_TIMEOUT_MS = 8_000;
const TRANSACTION_TIMEOUT_MS = 10_000;

const CONNECTION_TIMEOUT_MS = 1_400;

/** Open the pool; connects on first use. `onError` receives errors of idle connections. */
export function openDatabase(options: {
  url: string;
  poolSize: number;
  onError: (error: Error) => void;
}): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    application_name: 'qr-profile-service',
    // Prisma writes timestamps without a zone: another session zone would shift them.
    options: `-c TimeZone=UTC -c statement_timeout=${STATEMENT_TIMEOUT_MS}`,
  });
  pool.on('error', options.onError);
  const client = new PrismaClient({ adapter: new PrismaPg(pool) });
  const listeners = new Set<(topics: ReadonlySet<string>) => void>();
  return {
    client,
    pool,
    async transaction(work) {
      const topics = new Set<string>();
      const result = await client.$transaction(
        (tx) => {
          topicsByTransaction.set(tx, topics);
          return work(tx);
        },
        { maxWait: CONNECTION_TIMEOUT_MS + 500, timeout: TRANSACTION_TIMEOUT_MS },
      );
      if (topics.size > 0) for (const listener of listeners) listener(topics);
      return result;
    },
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async ping() {
      await pool.query('SELECT 1');
    },
    async close() {
      await client.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}
