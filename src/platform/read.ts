import type { Database, Db, Sql } from './database.ts';

/** Runs a statement and answers its rows. Counts (int8) are text from the driver and bigint from Prisma. */
export type Read = <Row>(statement: Sql) => Promise<Row[]>;

/** Statements that are planned once a connection; what is asked beyond that is planned each time. */
const MOST_NAMES = 200;

const names = new Map<string, string>();

/**
 * Reads by the driver beneath Prisma, each text planned once a connection: for what comes with most requests, since
 * Prisma's own way costs more there than the database. Not for statements whose best plan depends on their values.
 */
export function readNamed({ pool }: Pick<Database, 'pool'>): Read {
  return async <Row>({ text, values }: Sql) => {
    const { rows } = await pool.query({ name: nameOf(text), text, values });
    return rows as Row[];
  };
}

/** Reads by the driver, planned anew each time. */
export function readPlanned({ pool }: Pick<Database, 'pool'>): Read {
  return async <Row>({ text, values }: Sql) => {
    const { rows } = await pool.query(text, values);
    return rows as Row[];
  };
}

/** Reads within a transaction of Prisma's, or by its client. */
export function readBy(db: Db): Read {
  return (statement) => db.$queryRaw(statement);
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_NAMES) return known;
  const name = `read-${names.size}`;
  names.set(text, name);
  return name;
}
