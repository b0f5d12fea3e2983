import type pg from 'pg';
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import type { EveryAccountReason } from './account-binding.ts';
import type { DatabaseHealth } from './database-health.repository.ts';

export type Tx = Prisma.TransactionClient;

export type Db = PrismaClient | Tx;

export type SqlStatement = Prisma.Sql;

/** What reads need of the primary, or of a replica. */
export type ReadDatabase = Pick<Database, 'client' | 'pool' | 'readSnapshot'>;

export interface Database {
  client: PrismaClient;
  pool: pg.Pool;
  /** URL for a connection of its own, whose session no pooler shares. */
  directUrl: string;
  /** Run `work` in one transaction. Keep it short: no provider calls, no hashing. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Run reads in one REPEATABLE READ transaction, so that all see one snapshot. Do not write: `notifyAfterCommit` has no
   * effect here.
   */
  readSnapshot<Result>(read: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Run reads on the replica once it has what was committed before this call. Without a replica, or when it is late or
   * gone, they run on the primary; `work` may run twice.
   */
  read<Result>(work: (database: ReadDatabase) => Promise<Result>): Promise<Result>;
  /**
   * Bind everything that is run to one account: of protected tables, nothing of others can be read or written. Without a
   * binding, nothing of any account.
   */
  forAccount(accountId: string): Database;
  /** Let everything that is run read and write records of every account; `reason` says why it has to. */
  forEveryAccount(reason: EveryAccountReason): Database;
  /** Null without a replica. Otherwise throws when the replica is late or gone. */
  checkReplica: (() => Promise<void>) | null;
  /** Subscribe to the topics of `notifyAfterCommit`; returns a function that unsubscribes. */
  onCommit(listener: (topics: ReadonlySet<string>) => void): () => void;
  /** SQLSTATE of the last change if it failed for lack of space or the like, `UNCONFIRMED` if it got no answer; else null. */
  getWriteFailureCode(): string | null;
  /** @throws when the database does not answer within two seconds */
  readHealth(): Promise<DatabaseHealth>;
  close(): Promise<void>;
}
