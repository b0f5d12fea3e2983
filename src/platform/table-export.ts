import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

/** The formats that a long list is exported in, with their content types. */
export const EXPORT_TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv' } as const;

export type ExportFormat = keyof typeof EXPORT_TYPES;

/** The 200 of a route that exports, for the interface's document. */
export function exportAnswer(description: string) {
  const content = Object.values(EXPORT_TYPES).map((type) => [type, { schema: { type: 'string' } }]);
  return { description, content: Object.fromEntries(content) };
}

/**
 * Records as a stream that reads on as fast as it is taken: JSON lines, or CSV (RFC 4180, with a header) in which what a
 * spreadsheet would take for a formula is text. Reading that fails destroys the stream.
 */
export function exportTable(
  records: AsyncIterable<object>,
  columns: readonly string[],
  format: ExportFormat,
): Readable {
  if (format === 'jsonl') return Readable.from(linesOf(records));
  const csv = stringify({
    header: true,
    columns: [...columns],
    cast: {
      boolean: String,
      object: (value) => (Array.isArray(value) ? value.join(' ') : JSON.stringify(value)),
    },
    escape_formulas: true,
    record_delimiter: '\r\n',
  });
  const source = Readable.from(records);
  // What goes wrong while reading ends the answer, and does not leave half a file that looks whole.
  source.on('error', (error) => csv.destroy(error));
  csv.on('close', () => source.destroy());
  return source.pipe(csv);
}

async function* linesOf(records: AsyncIterable<object>) {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}
