import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { FastifyReply } from 'fastify';
import { CONTENT_DISPOSITION_HEADER } from './openapi-headers.ts';

const TABLE_EXPORT_CONTENT_TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv' } as const;

export type TableExportFormat = keyof typeof TABLE_EXPORT_CONTENT_TYPES;

export function createTableExportResponseSchema(description: string) {
  const content = Object.values(TABLE_EXPORT_CONTENT_TYPES).map((type) => [
    type,
    { schema: { type: 'string' } },
  ]);
  return { description, headers: CONTENT_DISPOSITION_HEADER, content: Object.fromEntries(content) };
}

/** Set the media type, and a file name with the format as extension. */
export function setTableExportHeaders(
  reply: FastifyReply,
  name: string,
  format: TableExportFormat,
): FastifyReply {
  return reply
    .type(`${TABLE_EXPORT_CONTENT_TYPES[format]}; charset=utf-8`)
    .header('Content-Disposition', `attachment; filename="${name}.${format}"`);
}

/** Stream batches of JSON records as JSON Lines or as CSV (RFC 4180) with formulas escaped. */
export function createTableExportStream(
  batches: AsyncIterable<readonly string[]>,
  columns: readonly string[],
  format: TableExportFormat,
): Readable {
  if (format === 'jsonl') return Readable.from(formatJsonLines(batches), { objectMode: false });
  return Readable.from(formatCsv(batches, columns), { objectMode: false });
}

/** Larger chunks are slow to free: strings above 128 kB live in V8's large object space. */
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
    // By default only the record delimiter is.
    quoted_match: /[\r\n]/,
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
