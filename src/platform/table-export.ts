import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';

/** The formats that a long list is exported in, with their content types. */
export const EXPORT_CONTENT_TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv' } as const;

export type ExportFormat = keyof typeof EXPORT_CONTENT_TYPES;

/** The 200 of a route that exports, for the interface's document. */
export function createExportResponseSchema(description: string) {
  const content = Object.values(EXPORT_CONTENT_TYPES).map((type) => [type, { schema: { type: 'string' } }]);
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
  if (format === 'jsonl') return Readable.from(formatJsonLines(batches), { objectMode: false });
  return Readable.from(formatCsv(batches, columns), { objectMode: false });
}

/**
 * Records in one piece of text. A piece each would cost more to hand on than to read; pieces of more than 128 kB are
 * what V8 keeps apart and frees late.
 */
const CHUNK_RECORDS = 100;

async function* chunkRecords(batches: AsyncIterable<readonly string[]>) {
  for await (const batch of batches)
    for (let start = 0; start < batch.length; start += CHUNK_RECORDS)
      yield batch.slice(start, start + CHUNK_RECORDS);
}

async function* formatJsonLines(batches: AsyncIterable<readonly string[]>) {
  for await (const chunk of chunkRecords(batches)) {
    yield `${chunk.join('\n')}\n`;
  }
}

async function* formatCsv(batches: AsyncIterable<readonly string[]>, columns: readonly string[]) {
  const csvOptions = {
    columns: [...columns],
    cast: {
      boolean: String,
      object: (value: unknown) => (Array.isArray(value) ? value.join(' ') : JSON.stringify(value)),
    },
    escape_formulas: true,
    record_delimiter: '\r\n',
  };
  yield stringify([], { ...csvOptions, header: true });
  for await (const chunk of chunkRecords(batches)) {
    yield stringify(
      chunk.map((record) => JSON.parse(record)),
      csvOptions,
    );
  }
}
