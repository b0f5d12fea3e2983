import type { Database, Db, SqlStatement } from './database.ts';

/** Runs a statement and returns its rows. Counts (int8) are text from the driver and bigint from Prisma. */
export type SqlReader = <Row>(statement: SqlStatement) => Promise<Row[]>;

/** Per connection; further statements are planned each time. */
const MAX_PREPARED_STATEMENTS = 200;

const statementNames = new Map<string, string>();

/** Create a reader that prepares each text: not for statements whose best plan depends on their values. */
export function createPreparedSqlReader({ pool }: Pick<Database, 'pool'>): SqlReader {
  return async <Row>({ text, values }: SqlStatement) => {
    const { rows } = await pool.query({ name: getStatementName(text), text, values });
    return rows as Row[];
  };
}

export function createUnpreparedSqlReader({ pool }: Pick<Database, 'pool'>): SqlReader {
  return async <Row>({ text, values }: SqlStatement) => {
    const { rows } = await pool.query(text, values);
    return rows as Row[];
  };
}

export function createPrismaSqlReader(db: Db): SqlReader {
  return (statement) => db.$queryRaw(statement);
}

function getStatementName(text: string): string | undefined {
  const knownName = statementNames.get(text);
  if (knownName !== undefined || statementNames.size >= MAX_PREPARED_STATEMENTS) return knownName;
  const name = `read-${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}
