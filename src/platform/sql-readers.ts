import type { Database, Db, SqlStatement } from './database.ts';

/** Runs a statement and answers its rows. Counts (int8) are text from the driver and bigint from Prisma. */
export type SqlReader = <Row>(statement: SqlStatement) => Promise<Row[]>;

/** Statements that are planned once a connection; what is asked beyond that is planned each time. */
const MAX_PREPARED_STATEMENTS = 200;

const statementNames = new Map<string, string>();

/**
 * Reads by the driver beneath Prisma, each text planned once a connection: for what comes with most requests, since
 * Prisma's own way costs more there than the database. Not for statements whose best plan depends on their values.
 */
export function createPreparedReader({ pool }: Pick<Database, 'pool'>): SqlReader {
  return async <Row>({ text, values }: SqlStatement) => {
    const { rows } = await pool.query({ name: getStatementName(text), text, values });
    return rows as Row[];
  };
}

/** Reads by the driver, planned anew each time. */
export function createUnpreparedReader({ pool }: Pick<Database, 'pool'>): SqlReader {
  return async <Row>({ text, values }: SqlStatement) => {
    const { rows } = await pool.query(text, values);
    return rows as Row[];
  };
}

/** Reads within a transaction of Prisma's, or by its client. */
export function createPrismaReader(db: Db): SqlReader {
  return (statement) => db.$queryRaw(statement);
}

function getStatementName(text: string): string | undefined {
  const knownName = statementNames.get(text);
  if (knownName !== undefined || statementNames.size >= MAX_PREPARED_STATEMENTS) return knownName;
  const name = `read-${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}
