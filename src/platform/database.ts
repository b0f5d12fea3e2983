import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import { parseDatabaseUrl } from '../shared/database-url.ts';
import { bindActiveSpan } from '../shared/tracing.ts';
import { withinTime } from '../shared/within-time.ts';
import { addBindings } from './bound-database.ts';
import { ANSWER_TIMEOUT_MS, DatabaseClient, isWritable, ReadOnlyHostError } from './database-client.ts';
import { type DatabaseHealth, readDatabaseHealth } from './database-health.repository.ts';
import { verifyDatabaseSession } from './database-session.ts';
import type { Database, ReadDatabase, Tx } from './database-types.ts';
import { databaseConnectionWait } from './monitoring/metrics.ts';
import { createReadReplica } from './read-replica.ts';
import { createWriteHealth, type WriteHealth } from './write-health.ts';

export type { Database, Db, ReadDatabase, SqlStatement, Tx } from './database-types.ts';

interface AfterCommit {
  topics: Set<string>;
  callbacks: Set<() => void>;
}

const afterCommitByTransaction = new WeakMap<Tx, AfterCommit>();

export function notifyAfterCommit(tx: Tx, topic: string): void {
  afterCommitByTransaction.get(tx)?.topics.add(topic);
}

/** Run a callback, which must not throw, once this transaction of `Database` is committed. */
export function runAfterCommit(tx: Tx, callback: () => void): void {
  afterCommitByTransaction.get(tx)?.callbacks.add(callback);
}

const CONNECTION_TIMEOUT_MS = 1_400;

/** Reads go to the primary after it. */
const REPLICA_CONNECTION_TIMEOUT_MS = 1_000;

const TRANSACTION_TIMEOUT_MS = 10_000;

/** With the wait for a connection below two seconds. */
const HEALTH_TIMEOUT_MS = 1_900;

interface DatabaseOptions {
  url: string;
  /** The server itself, where `url` is a pooler: for LISTEN and locks of a session. */
  directUrl?: string | undefined;
  isPooled?: boolean;
  /** A replica of `url` for reads: one server, no pooler. */
  replicaUrl?: string | undefined;
  poolSize: number;
  /** Wait for a free connection, and for the server to accept one. */
  connectionTimeoutMs?: number;
  transactionTimeoutMs?: number;
  answerTimeoutMs?: number;
  /** Receives verb and table of a statement that took longer than `SLOW_STATEMENT_MS`. */
  onSlowStatement?: (statement: string, ms: number) => void;
  /** Receives errors of idle connections. */
  onError: (error: Error) => void;
  /** Tests reuse clients: a new one reads its data model first. */
  createClient?: (pool: pg.Pool) => PrismaClient;
}

/** Open the pool; connects on first use. Of several hosts the next one is tried after each failure. */
export function openDatabase(options: DatabaseOptions): Database {
  const writeHealth = createWriteHealth();
  const primary = openReadDatabase(createPool({ ...options, writeHealth }), options);
  const replica = options.replicaUrl === undefined ? null : openReplica(options.replicaUrl, options);
  const readReplica = replica && createReadReplica(primary, replica);
  const { client, pool } = primary;
  const listeners = new Set<(topics: ReadonlySet<string>) => void>();
  const database: Omit<Database, 'forAccount' | 'forEveryAccount'> = {
    ...primary,
    read: readReplica?.read ?? ((work) => work(primary)),
    checkReplica: readReplica?.waitUntilCurrent ?? null,
    async transaction(work) {
      const topics = new Set<string>();
      const callbacks = new Set<() => void>();
      const result = await client.$transaction((tx) => {
        afterCommitByTransaction.set(tx, { topics, callbacks });
        return work(tx);
      }, toTransactionOptions(options));
      for (const callback of callbacks) callback();
      if (topics.size > 0) for (const listener of listeners) listener(topics);
      return result;
    },
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    directUrl: options.directUrl ?? options.url,
    getWriteFailureCode: writeHealth.getFailureCode,
    readHealth: () => withinTime(HEALTH_TIMEOUT_MS, (remaining) => readHealth(pool, remaining)),
    async close() {
      await Promise.all([primary, replica].map((one) => one && closeReadDatabase(one)));
    },
  };
  return addBindings(database, toTransactionOptions(options));
}

function openReplica(url: string, options: DatabaseOptions): ReadDatabase {
  const pool = createPool({
    ...options,
    url,
    isPooled: false,
    connectionTimeoutMs: REPLICA_CONNECTION_TIMEOUT_MS,
  });
  return openReadDatabase(pool, options);
}

function toTransactionOptions({
  connectionTimeoutMs = CONNECTION_TIMEOUT_MS,
  transactionTimeoutMs,
}: DatabaseOptions) {
  return { maxWait: connectionTimeoutMs + 500, timeout: transactionTimeoutMs ?? TRANSACTION_TIMEOUT_MS };
}

function openReadDatabase(pool: pg.Pool, options: DatabaseOptions): ReadDatabase {
  // A server that stops next can end connections that are still closing.
  pool.on('error', (error) => {
    if (!pool.ending) options.onError(error);
  });
  const client = options.createClient?.(pool) ?? new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    client,
    pool,
    readSnapshot: (read) =>
      client.$transaction(read, { ...toTransactionOptions(options), isolationLevel: 'RepeatableRead' }),
  };
}

async function closeReadDatabase({ client, pool }: ReadDatabase): Promise<void> {
  await client.$disconnect();
  if (!pool.ended) await pool.end();
}

function createPool({
  url,
  poolSize,
  isPooled = false,
  connectionTimeoutMs = CONNECTION_TIMEOUT_MS,
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
  onSlowStatement,
  writeHealth,
}: DatabaseOptions & { writeHealth?: WriteHealth }): pg.Pool {
  const { hostUrls, options } = parseDatabaseUrl(url);
  let hostIndex = 0;
  const pool: pg.Pool = new pg.Pool({
    // Prisma's adapter and messages read it; the connections are made below.
    connectionString: hostUrls[0],
    max: poolSize,
    connectionTimeoutMillis: connectionTimeoutMs,
    idleTimeoutMillis: 30_000,
    Client: class extends DatabaseClient {
      constructor() {
        super({
          hostUrl: hostUrls[hostIndex] ?? url,
          options,
          role: 'application',
          applicationName: 'qr-profile-service',
          connectionTimeoutMs,
          answerTimeoutMs,
          isPooled,
          delaysBegin: true,
          onConnectFailure: tryNextHost,
          onStalled: closeIdleConnections,
          onSlowStatement,
          writeHealth,
        });
      }
    },
    async onConnect(client) {
      if (!(client instanceof DatabaseClient)) return;
      client.setAnswerTimeout(connectionTimeoutMs);
      await verifyDatabaseSession(client, 'application', { isPooled });
      if (hostUrls.length > 1 && !(await isWritable(client))) {
        tryNextHost(client.hostUrl);
        throw new ReadOnlyHostError();
      }
      client.setAnswerTimeout();
    },
  });

  // As a property: an override would repeat the signatures.
  Object.defineProperty(pool, 'connect', {
    value: (callback?: (...results: unknown[]) => void) => {
      const stopTimer = databaseConnectionWait.startTimer();
      if (!callback) return Reflect.apply(pg.Pool.prototype.connect, pool, []).finally(() => stopTimer());
      // A connection that was waited for comes from whoever released it.
      const onConnected = bindActiveSpan((...results: unknown[]) => {
        stopTimer();
        callback(...results);
      });
      return Reflect.apply(pg.Pool.prototype.connect, pool, [onConnected]);
    },
  });

  /** Only the first failure of a host counts: two at once would lead back to it. */
  function tryNextHost(failedHostUrl: string): void {
    if (failedHostUrl === hostUrls[hostIndex]) hostIndex = (hostIndex + 1) % hostUrls.length;
  }

  /** Where one connection is dead, those that wait beside it most likely are. */
  function closeIdleConnections(): void {
    for (let count = pool.idleCount; count > 0; count -= 1)
      pool.connect((_error, _client, release) => release?.(true));
  }

  return pool;
}

async function readHealth(pool: pg.Pool, getRemainingMs: () => number): Promise<DatabaseHealth> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    if (client instanceof DatabaseClient) client.setAnswerTimeout(Math.max(getRemainingMs(), 1));
    const health = await readDatabaseHealth(client);
    isBroken = false;
    return health;
  } finally {
    if (client instanceof DatabaseClient) client.setAnswerTimeout();
    client.release(isBroken);
  }
}
