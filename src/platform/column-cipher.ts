import type { EncryptedColumnDefinition } from '../shared/catalogue.ts';
import type { FieldLocation } from '../shared/crypto/envelope.ts';
import { getExpectedEnvelopeAlgorithm } from './encrypted-columns.ts';
import type { FieldCipher } from './field-cipher.ts';

type Definition = EncryptedColumnDefinition;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type NameOf<Entry extends Definition> = Entry extends Definition
  ? `${Entry['table']}.${Entry['column']}`
  : never;

type WithName<Entry extends Definition, Name extends string> = Entry extends Definition
  ? Name extends `${Entry['table']}.${Entry['column']}`
    ? Entry
    : never
  : never;

type Field<Name, Value = string> = Name extends string ? Record<CamelCase<Name>, Value> : unknown;

/** A value is bound to the id of its row and to the owner. */
type BoundRow<Entry extends Definition> = Field<Entry['rowId']> & Field<Entry['owner']>;

/** With the field that decides the algorithm, where there is one. */
type WrittenRow<Entry extends Definition> = BoundRow<Entry> &
  (Entry['algorithm'] extends { cbcHmacWhere: { column: infer Column } } ? Field<Column> : unknown);

export interface ColumnCipher<Entry extends Definition, Value> {
  /** Encrypt a value for its row; null stays null. */
  encrypt<Input extends Value | null>(
    fieldCipher: FieldCipher,
    row: WrittenRow<Entry>,
    value: Input,
  ): Buffer<ArrayBuffer> | (Input & null);
  /** Decrypt the field of the row; null stays null. @throws DATA_INTEGRITY when it was altered or moved */
  decrypt<Bytes extends Uint8Array | null>(
    fieldCipher: FieldCipher,
    row: BoundRow<Entry> & Field<Entry['column'], Bytes>,
  ): Value | (Bytes & null);
  /** Decrypt a value that was read apart from its row. @throws DATA_INTEGRITY */
  decryptValue(fieldCipher: FieldCipher, row: BoundRow<Entry>, bytes: Uint8Array): Value;
}

/** Define the cipher of an encrypted column by its entry in the catalogue of a feature; `of` names the type of its values. */
export function defineColumnCipher<Entry extends Definition, Name extends NameOf<Entry>>(
  { encryptedColumns }: { encryptedColumns: readonly Entry[] },
  name: Name,
): { of<Value>(): ColumnCipher<WithName<Entry, Name>, Value> } {
  const definition = encryptedColumns.find(({ table, column }) => `${table}.${column}` === name);
  if (!definition) throw new Error(`${name} is not in the catalogue.`);
  return { of: <Value>() => createColumnCipher(definition) as ColumnCipher<WithName<Entry, Name>, Value> };
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
    ownerId: ownerField === null ? '' : (row[ownerField] as string),
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
