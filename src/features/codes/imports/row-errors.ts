import type { BulkResult } from '../bulk/bulk-results.ts';
import { type CsvColumn, toFileFieldName } from './csv-columns.ts';
import type { ImportRowError } from './imports.schemas.ts';

const MAX_ERRORS_PER_ROW = 10;

/** List the errors of a batch of rows by their places in the file. */
export function toRowErrors(
  data: BulkResult['data'],
  rowNumbers: readonly number[],
  columns: readonly CsvColumn[],
): ImportRowError[] {
  return data.flatMap(({ error, index }): ImportRowError[] => {
    if (!error) return [];
    const row = rowNumbers[index] ?? 0;
    if (error.errors.length === 0) return [{ row, field: null, code: error.code, message: error.detail }];
    return error.errors
      .slice(0, MAX_ERRORS_PER_ROW)
      .map(({ field, code, message }) => ({ row, field: toFileFieldName(columns, field), code, message }));
  });
}
