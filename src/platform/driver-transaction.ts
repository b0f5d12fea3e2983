import type pg from 'pg';
import type { Database } from './database.ts';

/** A connection of the driver inside a transaction: for repository functions that move thousands of rows at once. */
export type Connection = Pick<pg.ClientBase, 'query'>;

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
  { pool }: Pick<Database, 'pool'>,
  kind: keyof typeof BEGIN,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  // A connection that breaks between two statements says so here; the next statement fails.
  const ignore = () => {};
  client.on('error', ignore);
  let broken: Error | boolean = false;
  try {
    await client.query(BEGIN[kind]);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(broken);
  }
}
