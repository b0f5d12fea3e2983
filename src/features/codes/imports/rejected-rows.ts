import type { Db } from '../../../platform/database.ts';
import { formatCsvLine } from '../../../platform/table-export.ts';
import type { PendingFile } from '../../files/index.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { ERRORS_COLUMN, unescapeFormula } from './csv-columns.ts';
import { findImportErrorsAfter, type ImportKey, type ImportRecord } from './import.repository.ts';
import type { ImportRowError } from './imports.schemas.ts';
import { openImportFile } from './open-import-file.ts';
import {
  type ImportFile,
  type ImportRow,
  readCsvHeader,
  readImportRows,
  UnreadableFileError,
} from './read-rows.ts';

/** Rows beyond are left out. */
const MAX_REJECTED_BYTES = 10 * 1024 * 1024;

/** Read the errors of an import in the order of its rows. */
export async function* readImportErrors(db: Db, key: ImportKey): AsyncGenerator<ImportRowError[]> {
  for (let after = -1; ; ) {
    const batch = await findImportErrorsAfter(db, key, after);
    if (!batch) return;
    yield batch.errors;
    after = batch.rowNumber;
  }
}

/** Store the rows of an import that have errors, in its format, so that they can be corrected; null without any. */
export async function storeRejectedRows(
  services: Pick<QrCodeServices, 'database' | 'files'>,
  row: ImportRecord,
): Promise<PendingFile | null> {
  const errorsByRow = new Map<number, ImportRowError[]>();
  for await (const errors of readImportErrors(services.database.client, row))
    for (const error of errors) errorsByRow.set(error.row, [...(errorsByRow.get(error.row) ?? []), error]);
  if (errorsByRow.size === 0) return null;
  const content = formatRejectedRows(openImportFile(services, row), errorsByRow);
  return services.files.store(row.accountId, content, { maxBytes: MAX_REJECTED_BYTES });
}

async function* formatRejectedRows(
  file: ImportFile,
  errorsByRow: ReadonlyMap<number, readonly ImportRowError[]>,
): AsyncGenerator<Buffer> {
  let width = 0;
  let size = 0;
  const last = Math.max(...errorsByRow.keys());
  if (file.format === 'csv') {
    const { cells } = await readCsvHeader(await file.open(0));
    width = cells.length;
    yield Buffer.from(formatCsvLine([...cells, ERRORS_COLUMN]));
  }
  try {
    for await (const row of readImportRows(file, { rowNumber: 0, bytesRead: 0 })) {
      if (row.number > last) return;
      const errors = errorsByRow.get(row.number);
      const line = errors && formatRow(row, errors, width);
      if (!line) continue;
      const bytes = Buffer.from(line);
      size += bytes.length;
      if (size > MAX_REJECTED_BYTES / 2) return;
      yield bytes;
    }
  } catch (error) {
    // The rows before it are whole.
    if (!(error instanceof UnreadableFileError)) throw error;
  }
}

/** Null for a line that is no JSON. */
function formatRow(
  { cells, item }: ImportRow,
  errors: readonly ImportRowError[],
  width: number,
): string | null {
  if (!cells) return item instanceof Error ? null : `${JSON.stringify(item)}\n`;
  const values = Array.from({ length: width }, (_, index) => unescapeFormula(cells[index] ?? ''));
  const reasons = errors.map(({ field, message }) => (field === null ? message : `${field}: ${message}`));
  return formatCsvLine([...values, reasons.join(' ')]);
}
