import { type Static, Type } from 'typebox';
import {
  Id,
  nullable,
  stringEnum,
  TABLE_EXPORT_PARAMETERS,
  Timestamp,
} from '../../../shared/common.schemas.ts';
import { QR_CODE_KIND_NAMES } from '../qrcodes.schemas.ts';
import { IMPORT_FORMATS, UPLOAD_FORMATS } from './read-rows.ts';

export const IMPORT_STATUSES = ['WAITING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'] as const;

const MAX_MAPPED_COLUMNS = 200;

export const ImportMapping = Type.Object(
  {
    kind: Type.Optional(
      nullable(
        stringEnum(QR_CODE_KIND_NAMES, {
          description:
            'The kind of rows that have none. Without a column for `title` a code is then named by its `data.name`, except one of a kind with health data.',
        }),
      ),
    ),
    columns: Type.Optional(
      Type.Record(Type.String({ maxLength: 1_000 }), nullable(Type.String({ maxLength: 100 })), {
        maxProperties: MAX_MAPPED_COLUMNS,
        description:
          'By the text of a column in the header: the column of an import that it stands for, such as `data.name` or `metadata.order`, or null to leave it out. A column that is missing here is named by the header.',
      }),
    ),
  },
  { description: 'Only of csv and xlsx: what the columns of the file are. JSON in its part of the form.' },
);

export const NewImport = Type.Object({
  format: stringEnum(UPLOAD_FORMATS, {
    description:
      'csv: with a header of column names, separated by commas, semicolons or tabs. jsonl: a code as in POST /api/qrcodes on each line. xlsx: the first sheet of a workbook, read as csv.',
  }),
  mapping: Type.Optional(ImportMapping),
});

export const NewImportQuery = Type.Object({
  dryRun: Type.Boolean({
    default: false,
    description:
      'Only check the rows: nothing is created or kept. The response is 200 with what they would be.',
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
    format: stringEnum(IMPORT_FORMATS, { description: 'csv also for xlsx.' }),
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
    rejectedRowsUrl: nullable(
      Type.String({
        description:
          'Where to download the rows with errors, to correct them; null while it runs, and without any.',
      }),
    ),
    createdAt: Timestamp,
    startedAt: nullable(Timestamp),
    finishedAt: nullable(Timestamp),
    expiresAt: nullable(Timestamp),
  },
  { $id: 'Import', description: 'An import of codes from a file.' },
);

const RowError = Type.Object({
  row: Type.Integer({ description: 'Of CSV the header is row 1.' }),
  field: nullable(
    Type.String({ description: 'The column as in the file, else the field; null for the row as a whole.' }),
  ),
  code: Type.String(),
  message: Type.String(),
});

export const ImportCheckSchema = Type.Object(
  {
    isComplete: Type.Boolean({
      description: 'False if checking took too long: later rows are not checked.',
    }),
    rowsChecked: Type.Integer(),
    counts: Type.Object({
      created: Type.Integer({ description: 'Rows that would create a code.' }),
      updated: Type.Integer({
        description:
          'Rows with the external id of a code: they would update it, unless it is equal, or the change is refused.',
      }),
      failed: Type.Integer(),
    }),
    rows: Type.Array(
      Type.Object({
        row: Type.Integer({ description: 'Of CSV the header is row 1.' }),
        code: Type.Record(Type.String(), Type.Unknown(), {
          description: 'The code as in POST /api/qrcodes, without its PIN.',
        }),
      }),
      { description: 'The first rows without errors, at most five.' },
    ),
    errors: Type.Array(RowError, {
      description: 'In the order of the rows; of a row up to ten, in all up to 1,000.',
    }),
    error: nullable(
      Type.Object(
        { row: Type.Integer(), code: Type.String(), message: Type.String() },
        {
          description: 'Why the rows from this one on cannot be read.',
        },
      ),
    ),
  },
  { $id: 'ImportCheck', description: 'What an import would do.' },
);

export type ImportCheck = Static<typeof ImportCheckSchema>;

export type ImportView = Static<typeof ImportSchema>;
