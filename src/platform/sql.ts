// The only way to run SQL by hand. `test/platform/raw-statements.test.ts` describes each statement on the migrated schema
// and compares the columns with the type that the caller expects.
import pg from 'pg';
import { Prisma } from '../generated/prisma/client.ts';

/** A text with `$1`, `$2`, … and their values: from the tag `sql`, or by hand where the text is long. */
export interface SqlStatement {
  text: string;
  values?: readonly unknown[];
}

type PrismaConnection = Pick<Prisma.TransactionClient, '$queryRawUnsafe' | '$executeRawUnsafe'>;

/** A connection or the pool of the driver, or Prisma's client or transaction. */
export type SqlConnection = PrismaConnection | Pick<pg.ClientBase, 'query'>;

interface QueryOptions {
  /** Plan the text once for each connection of the driver: not where the best plan depends on the values. */
  isPrepared?: boolean;
}

/** Compose a statement; what is inserted becomes a parameter, or a part if it is a fragment itself. */
export const { sql } = Prisma;

/** Tag of a template, or a function that takes a statement. */
interface SqlRunner<Result> {
  (template: TemplateStringsArray, ...values: unknown[]): Promise<Result>;
  (statement: SqlStatement): Promise<Result>;
}

/** Run a statement and return its rows: int8 as bigint, dates and timestamps as Date, bytea as bytes. */
export function querySql<Row>(connection: SqlConnection, options: QueryOptions = {}): SqlRunner<Row[]> {
  return async (statement: SqlStatement | TemplateStringsArray, ...inserted: unknown[]) => {
    const { text, values = [] } = toStatement(statement, inserted);
    if (isPrisma(connection)) return connection.$queryRawUnsafe<Row[]>(text, ...values);
    const { rows } = await connection.query(toQueryConfig(text, values, options));
    return rows as Row[];
  };
}

/** Run a statement and return the number of rows that it changed. */
export function executeSql(connection: SqlConnection, options: QueryOptions = {}): SqlRunner<number> {
  return async (statement: SqlStatement | TemplateStringsArray, ...inserted: unknown[]) => {
    const { text, values = [] } = toStatement(statement, inserted);
    if (isPrisma(connection)) return connection.$executeRawUnsafe(text, ...values);
    const { rowCount } = await connection.query(toQueryConfig(text, values, options));
    return rowCount ?? 0;
  };
}

function toStatement(statement: SqlStatement | TemplateStringsArray, inserted: unknown[]): SqlStatement {
  return 'text' in statement ? statement : sql(statement, ...inserted);
}

function isPrisma(connection: SqlConnection): connection is PrismaConnection {
  return '$queryRawUnsafe' in connection;
}

function toQueryConfig(
  text: string,
  values: readonly unknown[],
  { isPrepared }: QueryOptions,
): pg.QueryConfig {
  const name = isPrepared ? getStatementName(text) : undefined;
  return { text, values: [...values], types: TYPES, ...(name !== undefined && { name }) };
}

/** As Prisma's adapter returns them. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [pg.types.builtins.INT8]: BigInt,
  [pg.types.builtins.DATE]: (text) => new Date(`${text}T00:00:00Z`),
};

const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== 'binary' && PARSERS[oid]) || pg.types.getTypeParser(oid, format as 'text'),
};

/** Per connection; further statements are planned each time. A client must not be able to make new texts. */
const MAX_PREPARED_STATEMENTS = 200;

const statementNames = new Map<string, string>();

function getStatementName(text: string): string | undefined {
  const knownName = statementNames.get(text);
  if (knownName !== undefined || statementNames.size >= MAX_PREPARED_STATEMENTS) return knownName;
  const name = `statement-${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}
