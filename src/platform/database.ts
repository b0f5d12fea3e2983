import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';

/** A transaction, as repository functions take it. */
export type Tx = Prisma.TransactionClient;

/** A client or a transaction: what a repository function that reads takes. */
export type Db = PrismaClient | Tx;

/** A statement with its values. */
export type SqlStatement = Prisma.Sql;

/** The database of one process: Prisma's client and the driver's pool beneath it. */
export interface Database {
  client: PrismaClient;
  pool: pg.Pool;
  /**
   * Runs `work` in one transaction: all of it is stored, or nothing. Keep it short: no provider and no
   * hashing inside. Throws what `work` throws.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Has `listener` hear, after each commit, what the transaction left by `tellAfterCommit`. Answers how to stop it. */
  onCommit(listener: (topics: ReadonlySet<string>) => void): () => void;
  /** Answers when the database answers; throws when it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const topicsByTransaction = new WeakMap<Tx, Set<string>>();

/** Leaves a word that listeners of `Database.onCommit` hear once this transaction is committed, and nobody if it is not. */
export function notifyAfterCommit(tx: Tx, topic: string): void {
  topicsByTransaction.get(tx)?.add(topic);
}

/** Milliseconds after which a statement is cancelled: below the transaction's own limit, so that nothing commits late. */
const STATEMENT_TIMEOUT_MS = 8_000;
const TRANSACTION_TIMEOUT_MS = 10_000;

/** Milliseconds a request waits for a connection before it is told to come back. */
const CONNECTION_TIMEOUT_MS = 1_400;

/**
 * Opens the pool (lazily: nothing is connected yet).
 * `onError` hears of connections that broke while idle; the pool replaces them by itself.
 */
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
    // Prisma writes timestamps without a zone: under another session zone they would be stored shifted.
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
