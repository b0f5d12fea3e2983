import pg from 'pg';
import type { Database, SqlStatement } from './database.ts';

/** Start of `COPY … (FORMAT binary)`: signature, flags, length of the (empty) extension. */
const COPY_HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

const COPY_TRAILER = -1;

/** Reusable memory for copied rows, outside of V8's heap, which would free it late. */
export class CopyRowBuffer {
  #bytes = Buffer.allocUnsafeSlow(64 * 1024);
  #ends: number[] = [];

  get length(): number {
    return this.#ends.length;
  }

  /** Get the bytes of a row for `parseCopyFields`; valid until the next copy. */
  at(index: number): Buffer {
    return this.#bytes.subarray(this.#ends[index - 1] ?? 0, this.#ends[index]);
  }

  add(row: Buffer): void {
    const start = this.#ends.at(-1) ?? 0;
    const end = start + row.length;
    if (end > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * end);
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    row.copy(this.#bytes, start);
    this.#ends.push(end);
  }

  clear(): void {
    this.#ends = [];
  }
}

/** Copy the rows of a query into a buffer. Planned on each call, so only for thousands of rows. */
export async function copyQueryToBuffer(
  { pool }: Pick<Database, 'pool'>,
  statement: SqlStatement,
  rows: CopyRowBuffer,
): Promise<void> {
  rows.clear();
  await pool.query(new CopyOutQuery(`COPY (${inlineValues(statement)}) TO STDOUT (FORMAT binary)`, rows));
}

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
  // In brackets, since two minus signs in a row start a comment.
  if (Number.isSafeInteger(value)) return `(${value})`;
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (typeof value === 'string') return pg.escapeLiteral(value);
  throw new TypeError('The value cannot be written as an SQL literal.');
}

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
