import type { Tx } from '../../platform/database.ts';
import type { PgConnection } from '../../platform/driver-transaction.ts';

export type QueryRunner = <Row>(name: string, text: string, values: readonly unknown[]) => Promise<Row[]>;

export function createTransactionQueryRunner(tx: Tx): QueryRunner {
  return (_name, text, values) => tx.$queryRawUnsafe(text, ...values);
}

/** Outside a transaction, each query commits. */
export function createConnectionQueryRunner(connection: PgConnection): QueryRunner {
  return async <Row>(name: string, text: string, values: readonly unknown[]) => {
    const { rows } = await connection.query({ name, text, values: [...values] });
    return rows as Row[];
  };
}
