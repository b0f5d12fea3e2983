import type { EncryptedColumnDefinition } from '../shared/catalogue.ts';
import type { FieldLocation } from '../shared/crypto/envelope.ts';
import { getExpectedEnvelopeAlgorithm } from './encrypted-columns.ts';
import type { FieldCipher } from './field-cipher.ts';

type Definition = EncryptedColumnDefinition;

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

type NameOf<One extends Definition> = One extends Definition ? `${One['table']}.${One['column']}` : never;

type WithName<One extends Definition, Name extends string> = One extends Definition
  ? Name extends `${One['table']}.${One['column']}`
    ? One
    : never
  : never;

type Field<Name, Value = string> = Name extends string ? Record<Camel<Name>, Value> : unknown;

/** What the value is bound to: the id of its row, and of the owner. */
type BoundRow<One extends Definition> = Field<One['rowId']> & Field<One['owner']>;

/** With the field that decides the algorithm. */
type WrittenRow<One extends Definition> = BoundRow<One> &
  (One['algorithm'] extends { cbcHmacWhere: { column: infer Column } } ? Field<Column> : unknown);

export interface ColumnCipher<One extends Definition, Value> {
  /** Encrypt a value for its row; null stays null. */
  encrypt<Input extends Value | null>(
    fieldCipher: FieldCipher,
    row: WrittenRow<One>,
    value: Input,
  ): Buffer<ArrayBuffer> | (Input & null);
  /** Decrypt the field of the row; null stays null. @throws DATA_INTEGRITY when it was altered or moved */
  decrypt<Bytes extends Uint8Array | null>(
    fieldCipher: FieldCipher,
    row: BoundRow<One> & Field<One['column'], Bytes>,
  ): Value | (Bytes & null);
  /** As `decrypt`, of a value that is apart from its row. */
  decryptValue(fieldCipher: FieldCipher, row: BoundRow<One>, bytes: Uint8Array): Value;
}

/** The cipher of an encrypted column, by its entry in the catalogue of a feature: `…('table.column').of<Value>()`. */
export function defineColumnCipher<One extends Definition, Name extends NameOf<One>>(
  { encryptedColumns }: { encryptedColumns: readonly One[] },
  name: Name,
): { of<Value>(): ColumnCipher<WithName<One, Name>, Value> } {
  const definition = encryptedColumns.find(({ table, column }) => `${table}.${column}` === name);
  if (!definition) throw new Error(`${name} is not in the catalogue.`);
  return { of: <Value>() => createColumnCipher(definition) as ColumnCipher<WithName<One, Name>, Value> };
}

type AnyRow = Record<string, unknown>;

function createColumnCipher(definition: Definition) {
  const { table, column, rowId, owner, algorithm } = definition;
  const field = toFieldName(column);
  const idField = toFieldName(rowId);
  const ownerField = owner && toFieldName(owner);
  const markerField = algorithm === 'GCM' ? null : toFieldName(algorithm.cbcHmacWhere.column);
  const locate = (row: AnyRow): FieldLocation => ({
    table,
    column,
    rowId: row[idField] as string,
    accountId: ownerField === null ? '' : (row[ownerField] as string),
  });
  return {
    encrypt(fieldCipher: FieldCipher, row: AnyRow, value: unknown) {
      if (value === null) return null;
      const marker = markerField === null ? null : (row[markerField] as string);
      return fieldCipher.encrypt(locate(row), value, getExpectedEnvelopeAlgorithm(definition, marker));
    },
    decrypt(fieldCipher: FieldCipher, row: AnyRow) {
      const bytes = row[field] as Uint8Array | null;
      return bytes && fieldCipher.decrypt(locate(row), bytes);
    },
    decryptValue: (fieldCipher: FieldCipher, row: AnyRow, bytes: Uint8Array) =>
      fieldCipher.decrypt(locate(row), bytes),
  };
}

function toFieldName(column: string): string {
  return column.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
