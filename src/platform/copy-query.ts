import pg from 'pg';
import type { Database, SqlStatement } from './database.ts';

/** What `COPY … (FORMAT binary)` begins with: a signature, flags and the length of an extension, which is none. */
const COPY_HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

/** What it ends with, where a row has the number of its fields. */
const COPY_TRAILER = -1;

/** Rows that were copied, in memory that is taken again for the next ones: outside V8's heap, which would free it late. */
export class CopyRowBuffer {
  #bytes = Buffer.allocUnsafeSlow(64 * 1024);
  #ends: number[] = [];

  get length(): number {
    return this.#ends.length;
  }

  /** The bytes of a row, for `fieldsOf`, until other rows are copied. */
  at(index: number): Buffer {
    return this.#bytes.subarray(this.#ends[index - 1] ?? 0, this.#ends[index]);
  }

  add(row: Buffer): void {
    const start = this.#ends.at(-1) ?? 0;
    const end = start + row.length;
    if (end > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(2 * end);
      this.#bytes.copy(grown, 0, 0, start);
      this.#bytes = grown;
    }
    row.copy(this.#bytes, start);
    this.#ends.push(end);
  }

  clear(): void {
    this.#ends = [];
  }
}

/**
 * Reads rows by COPY in place of those that `rows` holds. For thousands of rows at a time, since it is planned each
 * time. The statement's values are text, times and whole numbers.
 */
export async function copyQueryToBuffer(
  { pool }: Pick<Database, 'pool'>,
  statement: SqlStatement,
  rows: CopyRowBuffer,
): Promise<void> {
  rows.clear();
  await pool.query(new CopyOutQuery(`COPY (${inlineValues(statement)}) TO STDOUT (FORMAT binary)`, rows));
}

/** The fields of a row that was copied, in the database's binary formats. */
export function parseCopyFields(row: Buffer): (Buffer | null)[] {
  const fields: (Buffer | null)[] = [];
  let at = 2;
  for (let left = row.readInt16BE(0); left > 0; left -= 1) {
    const length = row.readInt32BE(at);
    at += 4;
    fields.push(length < 0 ? null : row.subarray(at, at + length));
    at += Math.max(length, 0);
  }
  return fields;
}

/** COPY takes no parameters. */
function inlineValues({ strings, values }: SqlStatement): string {
  return strings.reduce((text, part, index) => `${text}${toSqlLiteral(values[index - 1])}${part}`);
}

function toSqlLiteral(value: unknown): string {
  // In brackets, since two signs in a row begin a comment.
  if (Number.isSafeInteger(value)) return `(${value})`;
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (typeof value === 'string') return pg.escapeLiteral(value);
  throw new TypeError('The value has no literal.');
}

/** A COPY as the driver runs it; the pool hands in `callback`. */
class CopyOutQuery implements pg.Submittable {
  declare callback: (error: Error | null) => void;
  readonly #text: string;
  readonly #rows: CopyRowBuffer;

  constructor(text: string, rows: CopyRowBuffer) {
    this.#text = text;
    this.#rows = rows;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const isFirst = this.#rows.length === 0 && chunk.subarray(0, COPY_HEADER.length).equals(COPY_HEADER);
    const row = isFirst ? chunk.subarray(COPY_HEADER.length) : chunk;
    if (row.length > 0 && row.readInt16BE(0) !== COPY_TRAILER) this.#rows.add(row);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleCommandComplete(): void {}
}
