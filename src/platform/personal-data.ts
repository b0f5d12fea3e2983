import type { Readable } from 'node:stream';
import { type Static, type TArray, type TSchema, Type } from 'typebox';
import type { AuditAction } from '../audit-actions.ts';
import type { IntegrityFailure } from '../shared/errors.ts';
import type { Db, Tx } from './database.ts';
import type { FieldCipher } from './field-cipher.ts';

export interface PersonalDataDefinition {
  tables: Record<string, TablePrivacyDefinition>;
  /** Fields of `data.json` in an archive. */
  lists?: Record<string, ExportedField<never>>;
  /** Files of an archive beside `data.json`. */
  files?: (context: PersonalDataExportContext) => AsyncIterable<ExportArchiveFile>;
}

export interface TablePrivacyDefinition {
  /** Where the rows are in an archive, or why they are not in it. */
  exported: { in: string } | { not: string };
  erased: 'DELETED' | 'EMPTIED' | 'KEPT' | 'NOT_PERSONAL';
  /** How rows are erased; why rows are kept. Part of docs/reference/personal-data.md. */
  how: string;
  /** Columns of an emptied row. Both lists together name every column. */
  columns?: { retained: readonly string[]; emptied: readonly string[] };
  /** In the transaction that erases the account, regardless of the number of rows. */
  eraseWithAccount?: (tx: Tx, account: UserUnderErasure) => Promise<void>;
  /** In batches. Without it, rows stay, are erased immediately, or are deleted with those of another table. */
  erase?: RowErasureStep;
  /** Clear references to the user in rows of other users, in batches. */
  clearReferences?: RowErasureStep;
  /** How rows count in the estimated size of an archive. */
  size?: TableSizeDefinition;
}

export interface UserUnderErasure {
  userId: string;
  email: string;
  fieldCipher: FieldCipher;
}

export interface ErasureRow {
  id: string;
  userId: string;
  auditReference: string | null;
  scanCursorAt: Date | null;
  scanCursorId: string | null;
}

export interface ErasureBatchOptions {
  limit: number;
  /** In the transaction that erases the account: wait for no lock. */
  skipLocked: boolean;
}

/** Erase up to `limit` rows. True once none remain. */
export type RowErasureStep = (tx: Tx, erasure: ErasureRow, batch: ErasureBatchOptions) => Promise<boolean>;

/** Names in it become SQL: never take one from a request. */
export interface TableSizeDefinition {
  /** Columns with the id of the user. */
  users: readonly string[];
  /** SQL expression for the bytes of a row; 0 when left out. */
  bytes?: string;
  where?: string;
  /** Whether only bytes and files count, of all rows. */
  isUncounted?: boolean;
  /** Column with the name of a public file, and the path of that file. */
  file?: { column: string; getPath(name: string): string };
}

/** Rows of a user that are read newest first; an index has this order. Names in it become SQL: never take one from a request. */
export interface ExportRowSource {
  table: string;
  user: string;
  at: string;
  where?: string;
  bytes?: string;
}

export interface PersonalDataExportContext {
  db: Db;
  userId: string;
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
  batchSize: number;
  /** Read ids of rows, newest first, in batches bounded by number and bytes. @throws NOT_FOUND once the account is erased */
  readIds(source: ExportRowSource): AsyncIterable<string[]>;
  /** Report a value that fails its check: the rest is exported all the same. */
  onIntegrityFailure(failure: IntegrityFailure): void;
  recordReads(action: AuditAction, resourceIds: readonly string[]): Promise<void>;
  /** Null if the file is deleted or cannot be decrypted. */
  openPrivateFile(file: { accountId: string; id: string }): Promise<Readable | null>;
  openPublicFile(path: string): Promise<Readable | null>;
  /** Drawn now if it is not stored. */
  openQrCodeImage(imageFile: string): Promise<Readable | null>;
}

export type PersonalDataViewContext = Pick<
  PersonalDataExportContext,
  'fieldCipher' | 'publicBaseUrl' | 'onIntegrityFailure'
>;

export interface ExportedField<Context = PersonalDataExportContext, Schema extends TSchema = TSchema> {
  schema: Schema;
  isSingle: boolean;
  read(context: Context): AsyncIterable<readonly object[]>;
}

export interface ExportArchiveFile {
  /** Path in the archive. */
  name: string;
  /** Null if it was deleted or replaced in the meantime. */
  open(): Promise<Readable | null>;
}

export function definePersonalData<const Declared extends PersonalDataDefinition>(
  declared: Declared,
): Declared {
  return declared;
}

export function defineTableDeletedOnErasure(
  exported: TablePrivacyDefinition['exported'],
  { how = 'Every row of the account.', ...rest }: Partial<TablePrivacyDefinition> = {},
): TablePrivacyDefinition {
  return { exported, erased: 'DELETED', how, ...rest };
}

export function defineTableKeptOnErasure(
  not: string,
  how: string,
  rest: Partial<TablePrivacyDefinition> = {},
): TablePrivacyDefinition {
  return { exported: { not }, erased: 'KEPT', how, ...rest };
}

export function defineNonPersonalTable(how: string): TablePrivacyDefinition {
  return { exported: { not: 'not personal' }, erased: 'NOT_PERSONAL', how };
}

export function defineExportedRows<Row, Item extends TSchema>(list: {
  item: Item;
  description: string;
  sources: readonly ExportRowSource[];
  /** Of rows of a user or, with the same id, of the personal account. */
  findByIds(db: Db, userId: string, ids: string[]): Promise<Row[]>;
  recordReads?: (context: PersonalDataExportContext, rows: readonly Row[]) => Promise<void>;
  toItem(context: PersonalDataViewContext, row: Row): Static<Item> & object;
}): ExportedField<PersonalDataExportContext, TArray<Item>> {
  return {
    schema: Type.Array(list.item, { description: list.description }),
    isSingle: false,
    async *read(context) {
      for (const source of list.sources)
        for await (const ids of context.readIds(source)) {
          const rows = await list.findByIds(context.db, context.userId, ids);
          await list.recordReads?.(context, rows);
          yield rows.map((row) => list.toItem(context, row));
        }
    },
  };
}

export function defineExportedList<Item extends TSchema, Context = PersonalDataExportContext>(list: {
  item: Item;
  description: string;
  read(context: Context): AsyncIterable<readonly (Static<Item> & object)[]>;
}): ExportedField<Context, TArray<Item>> {
  const { item, description, read } = list;
  return { schema: Type.Array(item, { description }), isSingle: false, read };
}

export function defineExportedValue<Schema extends TSchema, Context = PersonalDataExportContext>(value: {
  schema: Schema;
  read(context: Context): Promise<Static<Schema> & object>;
}): ExportedField<Context, Schema> {
  return {
    schema: value.schema,
    isSingle: true,
    async *read(context) {
      yield [await value.read(context)];
    },
  };
}

export async function* readById<Row extends { id: string }>(
  batchSize: number,
  read: (afterId: string, take: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let afterId = ''; ; ) {
    const rows = await read(afterId, batchSize);
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    afterId = last.id;
  }
}
