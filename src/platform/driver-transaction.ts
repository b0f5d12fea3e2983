import type pg from 'pg';
import type { Database } from './database.ts';

/** A connection of the driver inside a transaction: for repository functions that move thousands of rows at once. */
export type DriverConnection = Pick<pg.ClientBase, 'query'>;

/** A transaction that is open until it is ended. */
export interface OpenTransaction {
  connection: DriverConnection;
  /** Ends it and gives the connection back. Rejects where a commit fails. */
  end(command: 'COMMIT' | 'ROLLBACK'): Promise<void>;
}

const BEGIN_STATEMENTS = {
  /** Reads and writes, as `Database.transaction` does. */
  WRITE: 'BEGIN',
  /** Reads one state of the database for as long as it takes; no statement is too slow. */
  SNAPSHOT: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0',
} as const;

/**
 * Runs `work` in one transaction on a connection of its own, without Prisma. Throws what `work` or the
 * database throws; nothing is stored then.
 */
export async function runDriverTransaction<Result>(
  database: Pick<Database, 'pool'>,
  kind: keyof typeof BEGIN_STATEMENTS,
  work: (connection: DriverConnection) => Promise<Result>,
): Promise<Result> {
  const { connection, end } = await beginTransaction(database, kind);
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
export async function beginTransaction(
  { pool }: Pick<Database, 'pool'>,
  kind: keyof typeof BEGIN_STATEMENTS,
): Promise<OpenTransaction> {
  const client = await pool.connect();
  // A connection that breaks between two statements says so here; the next statement fails.
  const ignoreError = () => {};
  client.on('error', ignoreError);
  const release = (isBroken: boolean) => {
    client.off('error', ignoreError);
    client.release(isBroken);
  };
  try {
    await client.query(BEGIN_STATEMENTS[kind]);
  } catch (error) {
    release(true);
    throw error;
  }
  return {
    connection: client,
    async end(command) {
      try {
        await client.query(command);
        release(false);
      } catch (error) {
        release(true);
        if (command === 'COMMIT') throw error;
      }
    },
  };
}
