import type pg from 'pg';
import type { Database } from './database.ts';

/** A connection of the driver inside a transaction: for repository functions that move thousands of rows at once. */
export type Connection = Pick<pg.ClientBase, 'query'>;

/** A transaction that is open until it is ended. */
export interface OpenTransaction {
  connection: Connection;
  /** Ends it and gives the connection back. Rejects where a commit fails. */
  end(how: 'COMMIT' | 'ROLLBACK'): Promise<void>;
}

const BEGIN = {
  /** Reads and writes, as `Database.transaction` does. */
  WRITE: 'BEGIN',
  /** Reads one state of the database for as long as it takes; no statement is too slow. */
  SNAPSHOT: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0',
} as const;

/**
 * Runs `work` in one transaction on a connection of its own, without Prisma. Throws what `work` or the
 * database throws; nothing is stored then.
 */
export async function driverTransaction<Result>(
  database: Pick<Database, 'pool'>,
  kind: keyof typeof BEGIN,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const { connection, end } = await openTransaction(database, kind);
  let result: Result;
  try {
    result = await work(connection);
  } catch (error) {
    await end('ROLLBACK');
    throw error;
  }
  await end('COMMIT');
  return result;
}

/** Begins a transaction on a connection of its own; who opens it must end it, once. */
export async function openTransaction(
  { pool }: Pick<Database, 'pool'>,
  kind: keyof typeof BEGIN,
): Promise<OpenTransaction> {
  const client = await pool.connect();
  // A connection that breaks between two statements says so here; the next statement fails.
  const ignore = () => {};
  client.on('error', ignore);
  const release = (broken: boolean) => {
    client.off('error', ignore);
    client.release(broken);
  };
  try {
    await client.query(BEGIN[kind]);
  } catch (error) {
    release(true);
    throw error;
  }
  return {
    connection: client,
    async end(how) {
      try {
        await client.query(how);
        release(false);
      } catch (error) {
        release(true);
        if (how === 'COMMIT') throw error;
      }
    },
  };
}
