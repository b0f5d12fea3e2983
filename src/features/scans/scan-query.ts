import type { Tx } from '../../platform/database.ts';
import type { DriverConnection } from '../../platform/driver-transaction.ts';

/** Runs a statement of scans and answers its rows. */
export type QueryRunner = <Row>(name: string, text: string, values: readonly unknown[]) => Promise<Row[]>;

/** Statements within a transaction of Prisma's. */
export function createTransactionQuery(tx: Tx): QueryRunner {
  return (_name, text, values) => tx.$queryRawUnsafe(text, ...values);
}

/** Statements of the driver itself, each planned once a connection: a commit each outside a transaction. */
export function createConnectionQuery(connection: DriverConnection): QueryRunner {
  return async <Row>(name: string, text: string, values: readonly unknown[]) => {
    const { rows } = await connection.query({ name, text, values: [...values] });
    return rows as Row[];
  };
}
