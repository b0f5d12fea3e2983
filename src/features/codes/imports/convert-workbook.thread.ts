import { streamXlsxRows } from 'hucre/xlsx';
import { serveThreadTasks } from '../../../platform/worker-thread.ts';
import { formatCsvCell, toCellText } from './workbook-cells.rules.ts';

/** One more than an import has, with the header. */
const MAX_SHEET_ROWS = 100_002;

/** Rows that have cells without a value, which formats of whole columns leave. */
const MAX_LISTED_ROWS = 200_000;

const MAX_COLUMNS = 1_000;

const MAX_CSV_BYTES = 32 * 1024 * 1024;

const CHUNK_ROWS = 1_000;

export interface WorkbookTask {
  bytes: Uint8Array;
}

export type WorkbookResult = { csv: Uint8Array } | { isTooLarge: true };

// A thread: a sheet of 100,000 rows takes seconds.
serveThreadTasks(
  async ({ bytes }: WorkbookTask): Promise<{ result: WorkbookResult; moved?: ArrayBuffer[] }> => {
    const chunks: Buffer[] = [];
    let size = 0;
    let lines: string[] = [];
    let lineCount = 0;
    let listedRows = 0;
    for await (const { index, values } of streamXlsxRows(bytes, { sheet: 0 })) {
      listedRows += 1;
      const last = values.findLastIndex((value) => value !== null && value !== '');
      if (listedRows > MAX_LISTED_ROWS || last >= MAX_COLUMNS) return { result: { isTooLarge: true } };
      if (last === -1) continue;
      if (index >= MAX_SHEET_ROWS) return { result: { isTooLarge: true } };
      // So that errors have the numbers of the rows of the sheet.
      for (; lineCount < index; lineCount++) lines.push('');
      lines.push(
        values
          .slice(0, last + 1)
          .map((value) => formatCsvCell(toCellText(value)))
          .join(','),
      );
      lineCount += 1;
      if (lines.length < CHUNK_ROWS) continue;
      addLines();
      if (size > MAX_CSV_BYTES) return { result: { isTooLarge: true } };
    }
    addLines();
    if (size > MAX_CSV_BYTES) return { result: { isTooLarge: true } };
    const csv = new Uint8Array(Buffer.concat(chunks));
    return { result: { csv }, moved: [csv.buffer] };

    function addLines(): void {
      const chunk = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      chunks.push(chunk);
      size += chunk.length;
      lines = [];
    }
  },
);
