import { pipeline, Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { parseJsonBody } from '../../../platform/http/json-body.ts';
import { findTextInputError } from '../../../platform/http/unsafe-text.ts';
import { createValidationError, ServiceError } from '../../../shared/errors.ts';
import {
  type ColumnMapping,
  type CsvColumn,
  findCsvHeaderErrors,
  parseCsvRow,
  toCsvColumns,
  toPrintableLabel,
} from './csv-columns.ts';
import { type CsvDialect, detectCsvDialect } from './csv-dialect.rules.ts';

/** Of stored files. */
export const IMPORT_FORMATS = ['csv', 'jsonl'] as const;

export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** The first sheet of a workbook is stored as CSV. */
export const UPLOAD_FORMATS = [...IMPORT_FORMATS, 'xlsx'] as const;

export function toStoredFormat(format: (typeof UPLOAD_FORMATS)[number]): ImportFormat {
  return format === 'jsonl' ? 'jsonl' : 'csv';
}

export const MAX_IMPORT_ROWS = 100_000;

/** Room for a logo in `design`. */
export const MAX_ROW_BYTES = 256 * 1024;

/** Decide the dialect of CSV; longer than most headers. */
export const CSV_HEAD_BYTES = 64 * 1024;

const MAX_JSON_VALUES_PER_ROW = 1_000;

export interface ImportRow {
  /** As spreadsheets count: the first line is row 1, which in CSV is the header. They hide a line `sep=`. */
  number: number;
  /** Place of the next row in the file. */
  end: number;
  /** The code; a `ServiceError` if the row cannot be read, undefined if it is empty. */
  item: unknown;
  /** Of CSV. */
  columns?: readonly CsvColumn[];
  /** Of CSV: the texts of the row. */
  cells?: readonly string[];
}

/** Where to read: rows and bytes before it. */
export interface RowPosition {
  rowNumber: number;
  bytesRead: number;
}

/** The rest of the file cannot be read. */
export class UnreadableFileError extends Error {
  readonly row: number;
  readonly code: string;

  constructor(row: number, code: string, message: string) {
    super(message);
    this.row = row;
    this.code = code;
  }
}

/** A file to read rows of. */
export interface ImportFile {
  format: ImportFormat;
  /** Of CSV. */
  mapping: ColumnMapping | null;
  /** Opens the file from a byte on. */
  open(first: number): Promise<Readable>;
}

/** Read rows from a position on. @throws UnreadableFileError after the rows before it */
export async function* readImportRows(file: ImportFile, position: RowPosition): AsyncGenerator<ImportRow> {
  const lastNumber = file.format === 'csv' ? MAX_IMPORT_ROWS + 1 : MAX_IMPORT_ROWS;
  for await (const row of readRows(file, position)) {
    if (row.number > lastNumber)
      throw new UnreadableFileError(row.number, 'TOO_MANY', `Must have at most ${MAX_IMPORT_ROWS} rows.`);
    yield row;
  }
}

async function* readRows(file: ImportFile, position: RowPosition): AsyncGenerator<ImportRow> {
  if (file.format === 'jsonl') {
    yield* readJsonLines(await file.open(position.bytesRead), position);
    return;
  }
  const { cells, dialect, ...headerEnd } = await readCsvHeader(await file.open(0));
  const columns = toCsvColumns(cells, file.mapping);
  // Only the beginning of a long header was checked when the file came.
  const [error] = findCsvHeaderErrors(columns, file.mapping);
  if (error) throw new UnreadableFileError(1, 'BAD_FORMAT', `${error.field}: ${error.message}`);
  let { rowNumber, bytesRead } = position.rowNumber === 0 ? headerEnd : position;
  const content = await file.open(bytesRead);
  for await (const { cells: row, end } of readCsvRecords(content, { rowNumber, bytesRead }, dialect)) {
    rowNumber += 1;
    bytesRead = end;
    yield { number: rowNumber, end, item: toCsvItem(columns, row, file.mapping), columns, cells: row };
  }
}

interface CsvHeader {
  /** As in the file. */
  cells: string[];
  dialect: CsvDialect;
}

/** Read the first row of CSV. @throws UnreadableFileError */
export async function readCsvHeader(content: Readable): Promise<RowPosition & CsvHeader> {
  const { head, whole } = await readHead(content);
  const dialect = detectCsvDialect(head);
  const start = { rowNumber: 0, bytesRead: dialect.start };
  for await (const { cells, end } of readCsvRecords(skipBytes(whole, dialect.start), start, dialect))
    return { cells, dialect, rowNumber: 1, bytesRead: end };
  throw new UnreadableFileError(1, 'TOO_SHORT', 'The file is empty.');
}

/** Read the beginning of a stream; `whole` repeats it. */
async function readHead(content: Readable): Promise<{ head: Buffer; whole: Readable }> {
  const chunks: Buffer[] = [];
  const iterator: AsyncIterator<Buffer> = content[Symbol.asyncIterator]();
  for (let bytes = 0; bytes < CSV_HEAD_BYTES; ) {
    const { done, value } = await iterator.next();
    if (done) break;
    chunks.push(value);
    bytes += value.length;
  }
  const head = Buffer.concat(chunks);
  async function* readWhole() {
    try {
      yield head;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      content.destroy();
    }
  }
  return { head: head.subarray(0, CSV_HEAD_BYTES), whole: Readable.from(readWhole()) };
}

export function skipBytes(content: Readable, count: number): Readable {
  if (count === 0) return content;
  async function* skipped() {
    let rest = count;
    for await (const chunk of content as AsyncIterable<Buffer>) {
      yield chunk.subarray(rest);
      rest = Math.max(0, rest - chunk.length);
    }
  }
  return Readable.from(skipped());
}

/** Read the rows of CSV as they are, the header first, up to an error. @throws UnreadableFileError for the header */
export async function* readCsvCells(
  file: Pick<ImportFile, 'open'>,
): AsyncGenerator<{ number: number; cells: string[] }> {
  const { cells: header, dialect, ...start } = await readCsvHeader(await file.open(0));
  yield { number: 1, cells: header };
  let number = start.rowNumber;
  try {
    for await (const { cells } of readCsvRecords(await file.open(start.bytesRead), start, dialect)) {
      number += 1;
      yield { number, cells };
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
  }
}

/** Spreadsheets write empty cells beyond the columns with a name, and leave out those at the end of a row. */
function toCsvItem(
  columns: readonly CsvColumn[],
  texts: readonly string[],
  mapping: ColumnMapping | null,
): unknown {
  const cells = texts.map((text) => text.replace(/\r\n?/g, '\n'));
  if (cells.every((cell) => cell === '')) return undefined;
  if (cells.slice(columns.length).some((cell) => cell !== ''))
    return createValidationError({
      field: 'row',
      code: 'TOO_MANY',
      message: `Must have ${columns.length} columns as the header.`,
    });
  const errors = columns.flatMap(({ name, label, isIgnored }, index) => {
    const cell = cells[index] ?? '';
    if (isIgnored) return [];
    if (name === '' && cell !== '') return [{ field: `column ${index + 1}`, ...NO_NAME_ERROR }];
    const error = findTextInputError(cell);
    return error ? [{ field: toPrintableLabel(label), ...error }] : [];
  });
  if (errors.length > 0) return createValidationError(...errors);
  const parseJson = (text: string) => parseJsonBody(Buffer.from(text), MAX_JSON_VALUES_PER_ROW);
  return parseCsvRow(columns, cells, parseJson, mapping);
}

const NO_NAME_ERROR = { code: 'UNKNOWN_FIELD', message: 'Has a value, but the header has no name for it.' };

interface CsvRecord {
  cells: string[];
  end: number;
}

async function* readCsvRecords(
  content: Readable,
  { rowNumber, bytesRead }: RowPosition,
  { delimiter, recordDelimiters }: CsvDialect,
): AsyncGenerator<CsvRecord> {
  let failure: Pick<CsvError, 'code'> | undefined;
  let records = 0;
  // The parser would drop the rows before an error that nobody has read yet, so it skips the error and what follows.
  const parser = parse({
    bom: bytesRead === 0,
    delimiter,
    info: true,
    max_record_size: MAX_ROW_BYTES,
    record_delimiter: recordDelimiters,
    relax_column_count: true,
    skip_records_with_error: true,
    on_skip(error) {
      failure ??= error;
      return undefined;
    },
    on_record: (record) => (failure ? null : record),
  });
  // The size of a record does not count its delimiters: a row of commas only would be millions of values.
  let [parsedRecords, bytesOfRecord] = [0, 0];
  async function* untilFailure() {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      if (parser.info.records > parsedRecords) [parsedRecords, bytesOfRecord] = [parser.info.records, 0];
      if (bytesOfRecord > 2 * MAX_ROW_BYTES) failure ??= { code: 'CSV_MAX_RECORD_SIZE' };
      if (failure) return;
      bytesOfRecord += chunk.length;
      yield chunk;
    }
  }
  pipeline(untilFailure, parser, () => content.destroy());
  for await (const { record, info } of parser) {
    records += 1;
    yield { cells: record, end: bytesRead + info.bytes };
  }
  if (failure) throw toUnreadableFileError(failure, rowNumber + records + 1);
}

function toUnreadableFileError({ code }: Pick<CsvError, 'code'>, row: number): UnreadableFileError {
  if (code === 'CSV_MAX_RECORD_SIZE') {
    const message = `The row has more than ${MAX_ROW_BYTES} bytes, or a quotation mark is not closed.`;
    return new UnreadableFileError(row, 'TOO_LONG', message);
  }
  return new UnreadableFileError(
    row,
    'BAD_FORMAT',
    'The quotation marks are wrong: put a value with any into quotation marks, and double those within it.',
  );
}

async function* readJsonLines(
  content: Readable,
  { rowNumber, bytesRead }: RowPosition,
): AsyncGenerator<ImportRow> {
  let [number, end] = [rowNumber, bytesRead];
  for await (const { line, bytes } of readLines(content)) {
    number += 1;
    end += bytes;
    yield { number, end, item: line === null ? createLongLineError() : parseJsonLine(line, number) };
  }
}

function parseJsonLine(line: Buffer, number: number): unknown {
  const hasByteOrderMark = number === 1 && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
  const json = hasByteOrderMark ? line.subarray(3) : line;
  if (json.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)) return undefined;
  try {
    return parseJsonBody(json, MAX_JSON_VALUES_PER_ROW);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error;
  }
}

function createLongLineError(): ServiceError {
  const message = `Must have at most ${MAX_ROW_BYTES} bytes.`;
  return createValidationError({ field: 'row', code: 'TOO_LONG', message });
}

/** Split into lines; null stands for one that is too long, which is never in memory as a whole. */
async function* readLines(content: Readable): AsyncGenerator<{ line: Buffer | null; bytes: number }> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const take = () => {
    const taken = { line: bytes > MAX_ROW_BYTES ? null : Buffer.concat(parts), bytes };
    [parts, bytes] = [[], 0];
    return taken;
  };
  for await (const chunk of content as AsyncIterable<Buffer>) {
    for (let start = 0; start < chunk.length; ) {
      const newline = chunk.indexOf(0x0a, start);
      const stop = newline === -1 ? chunk.length : newline;
      bytes += stop - start;
      if (bytes <= MAX_ROW_BYTES) parts.push(chunk.subarray(start, stop));
      else parts = [];
      start = stop + 1;
      if (newline === -1) continue;
      const { line, bytes: length } = take();
      yield { line, bytes: length + 1 };
    }
  }
  if (bytes > 0) yield take();
}
