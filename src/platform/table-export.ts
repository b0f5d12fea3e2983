import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';

export const EXPORT_CONTENT_TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv' } as const;

export type ExportFormat = keyof typeof EXPORT_CONTENT_TYPES;

export function createExportResponseSchema(description: string) {
  const content = Object.values(EXPORT_CONTENT_TYPES).map((type) => [type, { schema: { type: 'string' } }]);
  return { description, content: Object.fromEntries(content) };
}

/**
 * Stream batches of JSON records with back-pressure: JSON lines, or CSV (RFC 4180, with a header) with
 * formulas escaped. A failing read destroys the stream.
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
 * Records per chunk. One chunk each is slow; chunks above 128 kB live in V8's large object space and are
 * freed late.
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
