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
 * Records, in batches, as a stream that reads on as fast as it is taken: JSON lines, or CSV (RFC 4180, with a header) in
 * which what a spreadsheet would take for a formula is text. Reading that fails destroys the stream.
 */
export function exportTable(
  batches: AsyncIterable<readonly object[]>,
  columns: readonly string[],
  format: ExportFormat,
): Readable {
  if (format === 'jsonl') return Readable.from(linesOf(batches), { objectMode: false });
  return Readable.from(csvOf(batches, columns), { objectMode: false });
}

// A batch is one piece of text: a record each would cost more to hand on than to read.
async function* linesOf(batches: AsyncIterable<readonly object[]>) {
  for await (const batch of batches) {
    const text = batch.map((record) => `${JSON.stringify(record)}\n`).join('');
    if (text) yield text;
  }
}

async function* csvOf(batches: AsyncIterable<readonly object[]>, columns: readonly string[]) {
  let header = true;
  for await (const batch of batches) {
    const text = stringify([...batch], {
      header,
      columns: [...columns],
      cast: {
        boolean: String,
        object: (value) => (Array.isArray(value) ? value.join(' ') : JSON.stringify(value)),
      },
      escape_formulas: true,
      record_delimiter: '\r\n',
    });
    header = false;
    if (text) yield text;
  }
}
