import type pg from 'pg';
import { type ColumnType, type RowType, UNKNOWN_FRAGMENT } from './raw-statements.ts';

export interface DescribedColumn {
  name: string;
  /** Name of the type, such as `int8` or `_text`. */
  type: string;
  /** Of a column of a table; null for an expression. */
  isNotNull: boolean | null;
}

/** Types of TypeScript by those of PostgreSQL, as `querySql` returns them. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  bool: ['boolean'],
  bytea: ['Uint8Array', 'Buffer'],
  date: ['Date'],
  float8: ['number'],
  int2: ['number'],
  int4: ['number'],
  int8: ['bigint'],
  text: ['string'],
  timestamptz: ['Date'],
  uuid: ['string'],
  varchar: ['string'],
};

const SUBSTITUTES = ['', '(SELECT true)', "''", 'NULL'];
const MAX_VARIED_FRAGMENTS = 4;

interface Field {
  name: string;
  tableID: number;
  columnID: number;
  dataTypeID: number;
}

/** Let PostgreSQL parse a statement without running it. */
class StatementDescription {
  readonly fields: Promise<Field[]>;
  readonly #text: string;
  #fields: Field[] = [];
  #finish: (fields: Field[]) => void = () => {};
  #fail: (error: Error) => void = () => {};

  constructor(text: string) {
    this.#text = text;
    this.fields = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
  }

  submit(connection: pg.Connection): void {
    connection.parse({ text: this.#text, name: '', types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#fields = fields;
  }

  handleError(error: Error): void {
    this.#fail(error);
  }

  handleReadyForQuery(): void {
    this.#finish(this.#fields);
  }
}

/**
 * Describe a statement.
 * @throws the error of the last attempt
 */
export function describeWithFragments(client: pg.Client, text: string): Promise<DescribedColumn[]> {
  return tryFragments(text, (attempt) => describeStatement(client, attempt));
}

/**
 * Try a statement until it works. Its unknown fragments are conditions, orders or lists of values.
 * @throws the error of the last attempt
 */
export async function tryFragments<Result>(
  text: string,
  run: (attempt: string) => Promise<Result>,
): Promise<Result> {
  const chunks = text.split(UNKNOWN_FRAGMENT);
  const variants = SUBSTITUTES.length ** Math.min(chunks.length - 1, MAX_VARIED_FRAGMENTS);
  for (let variant = 0; ; variant++) {
    const attempt = chunks.reduce((whole, chunk, index) => {
      const choice = Math.floor(variant / SUBSTITUTES.length ** (index - 1)) % SUBSTITUTES.length;
      return `${whole}${SUBSTITUTES[choice] ?? ''}${chunk}`;
    });
    try {
      return await run(attempt);
    } catch (error) {
      if (variant + 1 >= variants) throw error;
    }
  }
}

async function describeStatement(client: pg.Client, text: string): Promise<DescribedColumn[]> {
  const description = new StatementDescription(text);
  client.query(description as unknown as pg.Query);
  const fields = await description.fields;
  const { rows } = await client.query<{ type: string; isNotNull: boolean | null }>(
    `SELECT typname AS type, attnotnull AS "isNotNull"
     FROM unnest($1::oid[], $2::oid[], $3::int[]) WITH ORDINALITY AS field (type, relation, number, position)
     JOIN pg_type ON pg_type.oid = field.type
     LEFT JOIN pg_attribute ON attrelid = field.relation AND attnum = field.number AND field.relation <> 0
     ORDER BY field.position`,
    [
      fields.map((one) => one.dataTypeID),
      fields.map((one) => one.tableID),
      fields.map((one) => one.columnID),
    ],
  );
  return fields.map(({ name }, index) => ({
    name,
    type: rows[index]?.type ?? '',
    isNotNull: rows[index]?.isNotNull ?? null,
  }));
}

/** Compare the type that a source promises for its rows with the columns of a statement. */
export function compareRow(row: RowType, columns: readonly DescribedColumn[]): string[] {
  const missing = [...row.keys()].filter((name) => columns.every((column) => column.name !== name));
  return [
    ...missing.map((name) => `${name}: no column`),
    ...columns.filter(isNamed).flatMap((column) => compareColumn(row.get(column.name), column)),
  ];
}

function compareColumn(
  promised: ColumnType | undefined,
  { name, type, isNotNull }: DescribedColumn,
): string[] {
  if (promised === undefined) return [`${name}: not in the type of the row`];
  const expected = type.startsWith('_') ? TYPES[type.slice(1)]?.map((one) => `${one}[]`) : TYPES[type];
  const isWrong = expected !== undefined && !promised.types.every((one) => expected.includes(one));
  return [
    ...(isWrong ? [`${name}: ${promised.types.join(' | ')} is ${type}`] : []),
    ...(isNotNull === false && !promised.isNullable ? [`${name}: may be null`] : []),
  ];
}

/** `SELECT 1` tells whether there is a row. */
function isNamed({ name }: DescribedColumn): boolean {
  return name !== '?column?';
}
