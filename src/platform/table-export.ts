import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';

/** The formats that a long list is exported in, with their content types. */
export const EXPORT_TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv' } as const;

export type ExportFormat = keyof typeof EXPORT_TYPES;

/** The 200 of a route that exports, for the interface's document. */
export function exportAnswer(description: string) {
  const content = Object.values(EXPORT_TYPES).map((type) => [type, { schema: { type: 'string' } }]);
  return { description, content: Object.fromEntries(content) };
}

/**
 * Records as JSON, in batches, as a stream that reads on as fast as it is taken: JSON lines, or CSV (RFC 4180, with a
 * header) in which what a spreadsheet would take for a formula is text. Reading that fails destroys the stream.
 */
export function exportTable(
  batches: AsyncIterable<readonly string[]>,
  columns: readonly string[],
  format: ExportFormat,
): Readable {
  if (format === 'jsonl') return Readable.from(linesOf(batches), { objectMode: false });
  return Readable.from(csvOf(batches, columns), { objectMode: false });
}

/**
 * Records in one piece of text. A piece each would cost more to hand on than to read; pieces of more than 128 kB are
 * what V8 keeps apart and frees late.
 */
const IN_A_PIECE = 100;

async function* piecesOf(batches: AsyncIterable<readonly string[]>) {
  for await (const batch of batches)
    for (let at = 0; at < batch.length; at += IN_A_PIECE) yield batch.slice(at, at + IN_A_PIECE);
}

async function* linesOf(batches: AsyncIterable<readonly string[]>) {
  for await (const piece of piecesOf(batches)) {
    yield `${piece.join('\n')}\n`;
  }
}

async function* csvOf(batches: AsyncIterable<readonly string[]>, columns: readonly string[]) {
  const written = {
    columns: [...columns],
    cast: {
      boolean: String,
      object: (value: unknown) => (Array.isArray(value) ? value.join(' ') : JSON.stringify(value)),
    },
    escape_formulas: true,
    record_delimiter: '\r\n',
  };
  yield stringify([], { ...written, header: true });
  for await (const piece of piecesOf(batches)) {
    yield stringify(
      piece.map((record) => JSON.parse(record)),
      written,
    );
  }
}
