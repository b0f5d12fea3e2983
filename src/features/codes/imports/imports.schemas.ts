import { type Static, Type } from 'typebox';
import {
  Id,
  nullable,
  stringEnum,
  TABLE_EXPORT_PARAMETERS,
  Timestamp,
} from '../../../shared/common.schemas.ts';
import { IMPORT_FORMATS } from './read-rows.ts';

export const IMPORT_STATUSES = ['WAITING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'] as const;

export const NewImport = Type.Object({
  format: stringEnum(IMPORT_FORMATS, {
    description:
      'csv: with a header of column names, separated by commas, semicolons or tabs. jsonl: a code as in POST /api/qrcodes on each line.',
  }),
});

export const ImportErrorsQuery = Type.Object({
  ...TABLE_EXPORT_PARAMETERS,
});

export const IMPORT_ERROR_COLUMNS = ['row', 'field', 'code', 'message'] as const;

/** An error of a row, in the file of errors. */
export interface ImportRowError {
  row: number;
  /** Null if it concerns the row as a whole. */
  field: string | null;
  code: string;
  message: string;
}

export const ImportSchema = Type.Object(
  {
    id: Id,
    format: stringEnum(IMPORT_FORMATS),
    status: stringEnum(IMPORT_STATUSES, {
      description:
        'WAITING: for a worker. COMPLETED: all rows are processed, also those with errors. FAILED: the rest of the file cannot be read, or none of the first 1,000 rows could be imported; `error` says why.',
    }),
    size: Type.Integer({ description: 'Bytes of the file, in UTF-8.' }),
    bytesProcessed: Type.Integer({ description: 'Bytes of the processed rows; compare with `size`.' }),
    rowsProcessed: Type.Integer({ description: 'Sum of `counts`.' }),
    counts: Type.Object({
      created: Type.Integer(),
      updated: Type.Integer(),
      unchanged: Type.Integer(),
      failed: Type.Integer(),
    }),
    error: nullable(
      Type.Object({
        row: Type.Integer({ description: 'The row that ended the import; of CSV the header is row 1.' }),
        code: Type.String(),
        message: Type.String(),
      }),
    ),
    errorsUrl: Type.String({
      description: 'Where to download the errors of rows, at most 1,000; `counts.failed` counts all.',
    }),
    createdAt: Timestamp,
    startedAt: nullable(Timestamp),
    finishedAt: nullable(Timestamp),
    expiresAt: nullable(Timestamp),
  },
  { $id: 'Import', description: 'An import of codes from a file.' },
);

export type ImportView = Static<typeof ImportSchema>;
