import type pg from 'pg';
import type { Database } from './database.ts';
import { DatabaseClient, LONG_ANSWER_TIMEOUT_MS } from './database-client.ts';

export type PgConnection = Pick<pg.ClientBase, 'query'>;

export interface PgTransaction {
  connection: PgConnection;
  /** End the transaction and release its connection; throws where the commit fails. */
  end(command: 'COMMIT' | 'ROLLBACK'): Promise<void>;
}

const BEGIN_STATEMENTS = {
  WRITE: 'BEGIN',
  SNAPSHOT:
    'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0',
} as const;

export async function runPgTransaction<Result>(
  database: Pick<Database, 'pool'>,
  kind: keyof typeof BEGIN_STATEMENTS,
  work: (connection: PgConnection) => Promise<Result>,
): Promise<Result> {
  const { connection, end } = await beginPgTransaction(database, kind);
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

/** Begin a transaction on a separate connection; the caller must end it exactly once. */
export async function beginPgTransaction(
  { pool }: Pick<Database, 'pool'>,
  kind: keyof typeof BEGIN_STATEMENTS,
): Promise<PgTransaction> {
  const client = await pool.connect();
  const setAnswerTimeout = (ms?: number) => {
    if (client instanceof DatabaseClient) client.setAnswerTimeout(ms);
  };
  const release = (isBroken: boolean) => {
    setAnswerTimeout();
    client.release(isBroken);
  };
  try {
    await client.query(toBeginStatement(kind, client));
    if (kind === 'SNAPSHOT') setAnswerTimeout(LONG_ANSWER_TIMEOUT_MS);
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

/** `BEGIN` alone is bound by the connection. */
function toBeginStatement(kind: keyof typeof BEGIN_STATEMENTS, client: pg.PoolClient): string {
  const text = BEGIN_STATEMENTS[kind];
  const binding = client instanceof DatabaseClient ? client.getBinding() : null;
  return kind === 'WRITE' || binding === null ? text : `${text}; ${binding}`;
}
