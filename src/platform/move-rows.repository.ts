import pg from 'pg';
import type { Tx } from './database.ts';
import type { EncryptedColumnDefinition } from './encrypted-columns.ts';
import { executeSql, querySql } from './sql.ts';

/** A condition over the rows of a table, with values from `$2` on; `$1` is the account. */
export interface RowCondition {
  text: string;
  values: readonly unknown[];
}

export interface MovableRow {
  id: string;
  /** Ciphertexts by column. */
  ciphertexts: Record<string, string | null>;
  /** What decides the algorithm, by column. */
  markers: Record<string, string | null>;
}

/** A row with ciphertexts in hex that are bound to the account that it goes to. */
export interface MovedRow {
  id: string;
  ciphertexts: Record<string, string | null>;
  /** The id that the row under the old account has until it is deleted. */
  replacedId: string;
}

export interface RowMove {
  table: string;
  fromAccountId: string;
  toAccountId: string;
  /** Those of the table that can be inserted. */
  columns: readonly string[];
  encryptedColumns: readonly string[];
  /** SQL of what differs under the new account, by column. */
  changedValues: Readonly<Record<string, string>>;
}

/** Lock rows of an account, in the order of their ids. */
export async function lockMovableRows(
  tx: Tx,
  { table, fromAccountId }: Pick<RowMove, 'table' | 'fromAccountId'>,
  encryptedColumns: readonly EncryptedColumnDefinition[],
  condition: RowCondition,
): Promise<MovableRow[]> {
  const ciphertexts = encryptedColumns.map(
    ({ column }) => [column, `encode(${quote(column)}, 'hex')`] as const,
  );
  const markers = encryptedColumns.flatMap(({ column, algorithm }) =>
    algorithm === 'GCM' ? [] : [[column, quote(algorithm.cbcHmacWhere.column)] as const],
  );
  return querySql<MovableRow>(tx)({
    text: `SELECT id, ${createObjectSql(ciphertexts)} AS ciphertexts, ${createObjectSql(markers)} AS markers
      FROM ${quote(table)} WHERE account_id = $1 AND (${condition.text}) ORDER BY id FOR UPDATE`,
    values: [fromAccountId, ...condition.values],
  });
}

/** List the columns of tables that an INSERT can name: read anew each time, since a migration may have added one. */
export async function listInsertableColumns(tx: Tx, table: string): Promise<string[]> {
  const rows = await querySql<{ name: string }>(tx)`
    SELECT attname::text AS name FROM pg_attribute
    WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    ORDER BY attnum`;
  return rows.map(({ name }) => name);
}

/** Delete rows that no other table references, and insert them under another account, in one statement. */
export async function moveUnreferencedRows(
  tx: Tx,
  move: RowMove,
  rows: readonly MovedRow[],
): Promise<number> {
  const table = quote(move.table);
  return executeSql(tx)({
    text: `WITH ${INPUT_SQL}, source AS (
        DELETE FROM ${table} AS stored USING input
        WHERE stored.account_id = $2 AND stored.id = input.moved_id
        RETURNING stored.*, input.moved_ciphertexts
      )
      INSERT INTO ${table} (${move.columns.map(quote).join(', ')})
      SELECT ${createValuesSql(move)} FROM source`,
    values: [JSON.stringify(rows), move.fromAccountId, move.toAccountId],
  });
}

/**
 * As `moveUnreferencedRows`, for rows that others reference by their id. In one statement the row under the old account gets
 * another id, and the row under the new account its id. So a foreign key without an action for updates finds it at the end of
 * the statement, and the deletion of the other row cascades to nothing.
 * @param replacedValues SQL of other unique columns of the row under the old account
 */
export async function moveReferencedRows(
  tx: Tx,
  move: RowMove,
  rows: readonly MovedRow[],
  replacedValues: Readonly<Record<string, string>>,
): Promise<number> {
  const table = quote(move.table);
  const replaced = Object.entries(replacedValues).map(([column, value]) => `, ${quote(column)} = ${value}`);
  const count = await executeSql(tx)({
    text: `WITH ${INPUT_SQL}, source AS MATERIALIZED (
        SELECT stored.*, input.replaced_id, input.moved_ciphertexts
        FROM ${table} AS stored JOIN input ON input.moved_id = stored.id WHERE stored.account_id = $2
      ), replaced AS (
        UPDATE ${table} AS stored SET id = source.replaced_id${replaced.join('')}
        FROM source WHERE stored.account_id = $2 AND stored.id = source.id
        RETURNING source.id AS moved_id
      )
      INSERT INTO ${table} (${move.columns.map(quote).join(', ')})
      SELECT ${createValuesSql(move)} FROM source JOIN replaced ON replaced.moved_id = source.id`,
    values: [JSON.stringify(rows), move.fromAccountId, move.toAccountId],
  });
  await executeSql(tx)({
    text: `DELETE FROM ${table} WHERE account_id = $1 AND id = ANY ($2::text[])`,
    values: [move.fromAccountId, rows.map(({ replacedId }) => replacedId)],
  });
  return count;
}

const INPUT_SQL = `input AS (
        SELECT id AS moved_id, "replacedId" AS replaced_id, ciphertexts AS moved_ciphertexts
        FROM jsonb_to_recordset($1::jsonb) AS input (id text, "replacedId" text, ciphertexts jsonb)
      )`;

function createValuesSql({ columns, encryptedColumns, changedValues }: RowMove): string {
  return columns
    .map((column) => {
      if (column === 'account_id') return '$3::text';
      const changed = changedValues[column];
      if (changed !== undefined) return changed;
      if (encryptedColumns.includes(column))
        return `decode(source.moved_ciphertexts ->> ${pg.escapeLiteral(column)}, 'hex')`;
      return `source.${quote(column)}`;
    })
    .join(', ');
}

function createObjectSql(entries: readonly (readonly [string, string])[]): string {
  return `jsonb_build_object(${entries.map(([name, value]) => `${pg.escapeLiteral(name)}, ${value}`).join(', ')})`;
}

function quote(name: string): string {
  return pg.escapeIdentifier(name);
}
