import type { CsvColumn } from './csv-columns.ts';
import { type ImportRow, type RowPosition, UnreadableFileError } from './read-rows.ts';

/** Rows with a PIN or a design, which take long to store. */
const MAX_SLOW_ROWS = 50;

const MAX_ROWS = 500;

const MAX_BYTES = 4 * 1024 * 1024;

/** With empty ones. */
const MAX_LINES = 10_000;

/** Rows that are stored together. */
export interface RowBatch {
  items: unknown[];
  /** Number of each row in the file. */
  rowNumbers: number[];
  /** Columns of CSV; empty for JSON Lines. */
  columns: readonly CsvColumn[];
  end: RowPosition;
  isLast: boolean;
  /** Why the rows after this batch cannot be read. */
  failure: UnreadableFileError | null;
}

/** Group rows from a position on into batches; the last one can be empty. */
export async function* readImportBatches(
  rows: AsyncIterable<ImportRow>,
  start: RowPosition,
): AsyncGenerator<RowBatch> {
  let batch = createBatch(start);
  let slowRows = 0;
  let from = start;
  try {
    for await (const { number, end, item, columns = [] } of rows) {
      batch.columns = columns;
      batch.end = { rowNumber: number, bytesRead: end };
      if (item !== undefined) {
        batch.items.push(item);
        batch.rowNumbers.push(number);
        if (isSlow(item)) slowRows += 1;
      }
      const isFull =
        batch.items.length === MAX_ROWS ||
        slowRows === MAX_SLOW_ROWS ||
        number - from.rowNumber >= MAX_LINES ||
        end - from.bytesRead >= MAX_BYTES;
      if (!isFull) continue;
      yield batch;
      from = batch.end;
      batch = createBatch(from);
      slowRows = 0;
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    batch.failure = error;
  }
  yield { ...batch, isLast: true };
}

function createBatch(end: RowPosition): RowBatch {
  return { items: [], rowNumbers: [], columns: [], end, isLast: false, failure: null };
}

function isSlow(item: unknown): boolean {
  return ['pin', 'design'].some((name) => Boolean(Reflect.get(Object(item), name)));
}
