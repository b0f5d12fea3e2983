import { generateId } from '../shared/ids.ts';
import type { Tx } from './database.ts';
import {
  ENCRYPTED_COLUMNS,
  type EncryptedColumnDefinition,
  getExpectedEnvelopeAlgorithm,
} from './encrypted-columns.ts';
import type { FieldCipher } from './field-cipher.ts';
import {
  listInsertableColumns,
  lockMovableRows,
  type MovableRow,
  moveReferencedRows,
  moveUnreferencedRows,
  type RowCondition,
  type RowMove,
} from './move-rows.repository.ts';

export type { RowCondition };

/** From one account to another. */
export interface AccountMove {
  fromAccountId: string;
  toAccountId: string;
}

export interface MovableTable {
  table: string;
  /** SQL of the unique columns that the row under the old account has until it is deleted; only where others reference it. */
  referenced?: Readonly<Record<string, string>>;
  /** SQL of what differs under the new account, by column: references to records that stay, times. */
  changed?: Readonly<Record<string, string>>;
}

/** Rows in a statement. */
const BATCH_SIZE = 250;

/**
 * Insert rows under another account and delete them under the old one. `account_id` of a row never changes. Values that are
 * bound to the account are encrypted again. Returns the ids.
 * @throws DATA_INTEGRITY
 */
export async function moveRows(
  tx: Tx,
  fieldCipher: FieldCipher,
  { table, referenced, changed = {} }: MovableTable,
  { fromAccountId, toAccountId }: AccountMove,
  condition: RowCondition,
): Promise<string[]> {
  const encrypted = ENCRYPTED_COLUMNS.filter((column) => column.table === table);
  const rows = await lockMovableRows(tx, { table, fromAccountId }, encrypted, condition);
  if (rows.length === 0) return [];
  const move: RowMove = {
    table,
    fromAccountId,
    toAccountId,
    columns: await listInsertableColumns(tx, table),
    encryptedColumns: encrypted.map(({ column }) => column),
    changedValues: changed,
  };
  for (let at = 0; at < rows.length; at += BATCH_SIZE) {
    const batch = rows.slice(at, at + BATCH_SIZE).map((row) => ({
      id: row.id,
      replacedId: generateId(),
      ciphertexts: Object.fromEntries(
        encrypted.map((column) => [column.column, reencrypt(fieldCipher, column, row, move)]),
      ),
    }));
    const count = referenced
      ? await moveReferencedRows(tx, move, batch, referenced)
      : await moveUnreferencedRows(tx, move, batch);
    if (count !== batch.length) throw new Error(`${count} of ${batch.length} rows of ${table} were moved.`);
  }
  return rows.map(({ id }) => id);
}

function reencrypt(
  fieldCipher: FieldCipher,
  column: EncryptedColumnDefinition,
  { id, ciphertexts, markers }: MovableRow,
  { fromAccountId, toAccountId }: AccountMove,
): string | null {
  const hex = ciphertexts[column.column] ?? null;
  if (hex === null) return null;
  const location = { table: column.table, column: column.column, rowId: id };
  const value = fieldCipher.decrypt({ ...location, ownerId: fromAccountId }, Buffer.from(hex, 'hex'));
  const algorithm = getExpectedEnvelopeAlgorithm(column, markers[column.column] ?? null);
  return fieldCipher.encrypt({ ...location, ownerId: toAccountId }, value, algorithm).toString('hex');
}
