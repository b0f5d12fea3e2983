import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../shared/errors.ts';
import { createFairLimiter } from '../shared/fair-limiter.ts';
import { createSlotsPerKey } from '../shared/limiter.ts';
import { CONTENT_DISPOSITION_HEADER } from './openapi-headers.ts';
import { isStillAllowed } from './route-access.ts';

const TABLE_EXPORT_CONTENT_TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv' } as const;

export type TableExportFormat = keyof typeof TABLE_EXPORT_CONTENT_TYPES;

export interface TableExportOptions {
  format: TableExportFormat;
  /** Begin CSV with a byte order mark. */
  bom: boolean;
}

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

/** Of an account, in one process. */
const MAX_OPEN_EXPORTS = 3;

const openExport = createSlotsPerKey(MAX_OPEN_EXPORTS);

/** Batches made at the same time, of which accounts take turns. A client that reads slowly keeps no turn. */
const limitBatch = createFairLimiter({
  concurrency: 2,
  maxQueued: 10_000,
  maxQueuedPerKey: MAX_OPEN_EXPORTS,
});

/**
 * Stream batches of JSON records as JSON Lines or as CSV (RFC 4180) with formulas escaped, for an account.
 * @throws RATE_LIMITED while the account has too many streams that are not closed
 */
export function createTableExportStream(
  userId: string,
  batches: AsyncIterable<readonly string[]>,
  columns: readonly string[],
  { format, bom }: TableExportOptions,
): Readable {
  const close = openExport(userId);
  const limited = limitBatches(userId, batches);
  const lines = format === 'jsonl' ? formatJsonLines(limited) : formatCsv(limited, columns, bom);
  return Readable.from(lines, { objectMode: false }).once('close', close);
}

/** Send a stream once it is recorded, for as long as the credential of the request works. */
export async function sendTableExport(
  reply: FastifyReply,
  content: Readable,
  record: () => Promise<void>,
): Promise<FastifyReply> {
  try {
    await record();
  } catch (error) {
    content.destroy();
    throw error;
  }
  return reply.send(Readable.from(readWhileAuthorized(reply.request, content), { objectMode: false }));
}

/** A client can read as slowly as it likes. @throws UNAUTHENTICATED */
async function* readWhileAuthorized(request: FastifyRequest, content: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    yield chunk;
    if (!(await isStillAllowed(request))) throw new ServiceError('UNAUTHENTICATED');
  }
}

async function* limitBatches<Batch>(userId: string, batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  const iterator = batches[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await limitBatch(userId, () => iterator.next());
      if (done) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
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

/** Where its language writes decimal commas, Excel splits lines at semicolons, so that a formula can begin there, too. */
const FORMULA_PATTERN = /;('*)(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g;

function escapeFormulasAfterSemicolons(text: string): string {
  return text.replace(FORMULA_PATTERN, ";'$1");
}

/** Restore the text of an exported cell. */
export function unescapeFormulasAfterSemicolons(text: string): string {
  return text.replace(FORMULA_PATTERN, (_all, quotes: string) => `;${quotes.slice(1)}`);
}

const CSV_OPTIONS = {
  cast: {
    boolean: String,
    string: escapeFormulasAfterSemicolons,
    object: (value: unknown) => (Array.isArray(value) ? value.join(' ') : JSON.stringify(value)),
  },
  escape_formulas: true,
  // By default only the record delimiter is.
  quoted_match: /[\r\n]/,
  record_delimiter: '\r\n',
};

/** Format a line of CSV (RFC 4180) with formulas escaped. */
export function formatCsvLine(cells: readonly string[]): string {
  return stringify([[...cells]], CSV_OPTIONS);
}

async function* formatCsv(
  batches: AsyncIterable<readonly string[]>,
  columns: readonly string[],
  bom: boolean,
) {
  const csvOptions = { ...CSV_OPTIONS, columns: [...columns] };
  yield stringify([], { ...csvOptions, header: true, bom });
  for await (const chunk of chunkRecords(batches)) {
    yield stringify(
      chunk.map((record) => JSON.parse(record)),
      csvOptions,
    );
  }
}
