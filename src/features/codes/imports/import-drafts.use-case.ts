import { formatCsvLine } from '../../../platform/table-export.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import type { PendingFile } from '../../files/index.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import {
  type ColumnMapping,
  ERRORS_COLUMN,
  findCsvHeaderErrors,
  toCsvColumns,
  unescapeFormula,
} from './csv-columns.ts';
import {
  deleteImportDrafts,
  findImport,
  findImportDraft,
  type ImportKey,
  type ImportRecord,
  insertImportDraft,
  listImportDrafts,
  lockImportsOfOwner,
  updateDraftMapping,
} from './import.repository.ts';
import { MAX_IMPORT_BYTES } from './import-upload.ts';
import { parseColumnMapping } from './map-columns.ts';
import { openImportFile, openRejectedRows } from './open-import-file.ts';
import { readCsvCells, readCsvHeader } from './read-rows.ts';

/** Of an account; the oldest gives way. */
const MAX_DRAFTS = 3;

/** Rows that can be corrected in a page. */
export const MAX_CORRECTED_ROWS = 100;

const MAX_CORRECTED_BYTES = MAX_IMPORT_BYTES;

type Services = Pick<QrCodeServices, 'database' | 'files'>;

interface NewDraft {
  accountId: string;
  requestId: string;
  file: PendingFile;
  mapping: ColumnMapping | null;
}

/** Keep an uploaded file of CSV for a day, so that its columns can be mapped before it is imported. */
export async function createImportDraft(
  { database, files }: Services,
  { accountId, requestId, file, mapping }: NewDraft,
): Promise<string> {
  const id = generateId();
  const expiresAt = new Date(Date.now() + LIFETIMES_SECONDS.importDraft * 1000);
  await database.transaction(async (tx) => {
    await lockImportsOfOwner(tx, accountId);
    const others = await listImportDrafts(tx, accountId);
    const dropped = others.slice(MAX_DRAFTS - 1).map((draft) => draft.id);
    await files.remove(tx, await deleteImportDrafts(tx, accountId, dropped));
    await files.commit(tx, file);
    const row = { accountId, id, format: 'csv', fileId: file.id, size: file.size, requestId, mapping };
    await insertImportDraft(tx, { ...row, expiresAt });
  });
  return id;
}

/** @throws NOT_FOUND */
export async function getImportDraft({ database }: Services, key: ImportKey): Promise<ImportRecord> {
  const draft = await findImportDraft(database.client, key);
  if (!draft) throw new ServiceError('NOT_FOUND');
  return draft;
}

export async function discardImportDraft(
  { database, files }: Services,
  { accountId, id }: ImportKey,
): Promise<void> {
  await database.transaction(async (tx) => files.remove(tx, await deleteImportDrafts(tx, accountId, [id])));
}

/** Store what the columns of a draft are, unless they have errors, which are returned. @throws NOT_FOUND */
export async function mapDraftColumns(
  services: Services,
  key: ImportKey,
  mapping: ColumnMapping,
): Promise<FieldError[]> {
  const draft = await getImportDraft(services, key);
  const { cells } = await readCsvHeader(await openImportFile(services, draft).open(0));
  const errors = findCsvHeaderErrors(toCsvColumns(cells, mapping), mapping);
  if (errors.length > 0) return errors;
  if (!(await updateDraftMapping(services.database.client, key, mapping)))
    throw new ServiceError('NOT_FOUND');
  return [];
}

export interface CsvTable {
  header: string[];
  rows: { number: number; cells: string[] }[];
}

/** Read rows of a draft that are not empty: the first ones, or those with these numbers. @throws UnreadableFileError */
export async function readDraftTable(
  services: Services,
  draft: ImportRecord,
  { maxRows, numbers }: { maxRows: number; numbers?: ReadonlySet<number> },
): Promise<CsvTable> {
  const table: CsvTable = { header: [], rows: [] };
  const last = numbers && Math.max(1, ...numbers);
  for await (const row of readCsvCells(openImportFile(services, draft))) {
    if (row.number === 1) table.header = row.cells;
    else if (row.cells.some((cell) => cell !== '') && (numbers?.has(row.number) ?? true))
      table.rows.push(row);
    if (table.rows.length >= maxRows || (last !== undefined && row.number >= last)) break;
  }
  return table;
}

/** Read the first rows that a finished import rejected; null where there are none. */
export async function readRejectedTable(services: Services, row: ImportRecord): Promise<CsvTable | null> {
  const file = openRejectedCsv(services, row);
  if (!file) return null;
  const table: CsvTable = { header: [], rows: [] };
  for await (const { number, cells } of readRejectedCells(file)) {
    if (number === 1) table.header = cells;
    else table.rows.push({ number, cells });
    if (table.rows.length === MAX_CORRECTED_ROWS) break;
  }
  return table;
}

/**
 * Create a draft with corrected cells: of another draft, which it replaces, or of the rows that an import rejected. Returns
 * its id. @throws NOT_FOUND
 */
export async function createCorrectedDraft(
  services: Services,
  key: ImportKey,
  requestId: string,
  correct: (row: number, column: number) => string | undefined,
): Promise<string> {
  const { client } = services.database;
  const draft = await findImportDraft(client, key);
  const row = draft ?? (await findImport(client, key));
  const rejected = row && !draft ? openRejectedCsv(services, row) : null;
  const source = draft
    ? readCsvCells(openImportFile(services, draft))
    : rejected && readRejectedCells(rejected);
  if (!row || !source) throw new ServiceError('NOT_FOUND');
  const file = await services.files.store(key.accountId, formatCorrected(source, correct), {
    maxBytes: MAX_CORRECTED_BYTES,
  });
  try {
    const { accountId } = key;
    const mapping = parseColumnMapping(row.mapping);
    const id = await createImportDraft(services, { accountId, requestId, file, mapping });
    if (draft) await discardImportDraft(services, key);
    return id;
  } catch (error) {
    await services.files.discardPending(file);
    throw error;
  }
}

async function* formatCorrected(
  source: ReturnType<typeof readCsvCells>,
  correct: (row: number, column: number) => string | undefined,
): AsyncGenerator<Buffer> {
  for await (const { number, cells } of source) {
    const corrected = cells.map((cell, column) => correct(number, column) ?? unescapeFormula(cell));
    yield Buffer.from(formatCsvLine(number === 1 ? cells : corrected));
  }
}

function openRejectedCsv(services: Services, { accountId, finishedAt, fileId, format }: ImportRecord) {
  return finishedAt && fileId && format === 'csv' ? openRejectedRows(services, { accountId, fileId }) : null;
}

/** Without the column of errors. */
async function* readRejectedCells(
  file: ReturnType<typeof openRejectedRows>,
): ReturnType<typeof readCsvCells> {
  let width = Number.POSITIVE_INFINITY;
  for await (const { number, cells } of readCsvCells(file)) {
    if (number === 1 && cells.at(-1) === ERRORS_COLUMN) width = cells.length - 1;
    yield { number, cells: cells.slice(0, width).map(unescapeFormula) };
  }
}
