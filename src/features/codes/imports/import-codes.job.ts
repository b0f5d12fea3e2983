import { Readable } from 'node:stream';
import { insertAuditEntry } from '../../../platform/audit.repository.ts';
import type { Tx } from '../../../platform/database.ts';
import { toIntegrityFailureAuditEntry } from '../../../platform/integrity-failure.ts';
import { type JobHandler, SilentRetryError } from '../../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../../platform/jobs.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import type { BulkResult } from '../bulk/bulk-results.ts';
import { parseImportedItem } from '../bulk/parse-bulk-item.ts';
import { putItems } from '../bulk/put-qrcodes.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { type CsvColumn, toFileFieldName } from './csv-columns.ts';
import {
  addImportOutcomes,
  advanceImport,
  endImport,
  findOpenImport,
  type ImportEnd,
  type ImportKey,
  type ImportRecord,
} from './import.repository.ts';
import { type RowBatch, readImportBatches } from './import-batches.ts';
import type { ImportRowError, ImportView } from './imports.schemas.ts';
import { IMPORT_FORMATS, type RowPosition, readImportRows } from './read-rows.ts';

/** A job imports for some seconds, then enqueues the next one, so that accounts alternate. */
export const IMPORT_CODES_QUEUE: JobQueueDefinition = {
  name: 'import-codes',
  expireInSeconds: 120,
  retryLimit: 10,
  retryDelay: 5,
};

const MAX_RUN_MS = 10_000;

const MAX_ERRORS_PER_ROW = 10;

/** An import ends where so many rows, and none before them, could be stored: the file is probably another one. */
const MAX_FAILED_FROM_START = 1_000;

const TOO_MANY_ERRORS = {
  code: 'TOO_MANY_ERRORS',
  message: 'None of the rows so far could be imported. Correct the file by the errors, and import it again.',
};

/** Batches limit what takes long. */
const NO_BUDGET = { consumePin() {}, consumeDesignCheck() {} };

/**
 * Create the job that imports the rows of a file. A batch of rows is stored together with its place in the file, so that
 * a job that begins after a killed one repeats none. A ServiceError ends the import, unless it is for a while only.
 */
export function createImportCodesJob(services: QrCodeServices, maxRunMs = MAX_RUN_MS): JobHandler {
  const { database } = services;
  return async ({ accountId, importId }) => {
    const row = await findOpenImport(database.client, { accountId: String(accountId), id: String(importId) });
    if (!row) return;
    try {
      if (row.account.user?.status !== 'ACTIVE') throw new ServiceError('ACCOUNT_SUSPENDED');
      await importRows(services, row, maxRunMs);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.statusCode === 503 || error.statusCode === 429) throw new SilentRetryError();
      const { code, message, integrityFailure } = error;
      await database.transaction(async (tx) => {
        if (integrityFailure)
          await insertAuditEntry(tx, {
            ...toIntegrityFailureAuditEntry(integrityFailure),
            ...createAuditOrigin(row),
          });
        await finishImport(services, tx, row, { status: 'FAILED', error: { code, message } });
      });
    }
  };
}

/** Read batches until the end, or for `maxRunMs`. */
async function importRows(services: QrCodeServices, row: ImportRecord, maxRunMs: number): Promise<void> {
  const { database, files } = services;
  const endsAt = Date.now() + maxRunMs;
  const size = Number(row.size);
  const open = async (first: number) => {
    if (first === size) return Readable.from([]);
    const content = row.fileId && (await files.open(database.client, row.fileId, { first, last: size - 1 }));
    if (!content) throw new ServiceError('NOT_FOUND');
    return content;
  };
  let position: RowPosition = { rowNumber: row.rowNumber, bytesRead: Number(row.bytesRead) };
  const format = IMPORT_FORMATS.find((name) => name === row.format) ?? 'csv';
  for await (const batch of readImportBatches(readImportRows(format, open, position), position)) {
    const isRunOver = !batch.isLast && Date.now() >= endsAt;
    if (!(await importBatch(services, row, position, batch, isRunOver)) || isRunOver) break;
    position = batch.end;
  }
  services.jobs.wake(IMPORT_CODES_QUEUE);
}

/** Store a batch; false if the import has ended, or another worker has it. */
async function importBatch(
  services: QrCodeServices,
  row: ImportRecord,
  from: RowPosition,
  { items, rowNumbers, columns, end, isLast, failure }: RowBatch,
  isRunOver: boolean,
): Promise<boolean> {
  const { accountId, id } = row;
  if (!(await findOpenImport(services.database.client, row))) return false;
  const parse = (item: unknown) => parseImportedItem(services, item);
  const input = { accountId, items, parse, createBudget: () => NO_BUDGET };
  return putItems(services, createImportContext(row), input, (insert) =>
    services.database.transaction(async (tx) => {
      if (!(await advanceImport(tx, row, from, end))) return false;
      const { data, counts } = await insert(tx);
      const sums = await addImportOutcomes(tx, row, from, counts, toRowErrors(data, rowNumbers, columns));
      if (hasOnlyFailures(sums) && !data.some(({ error }) => error?.code === 'PLAN_LIMIT_REACHED')) {
        await finishImport(services, tx, row, { status: 'FAILED', error: TOO_MANY_ERRORS });
        return false;
      }
      if (isRunOver) await services.jobs.enqueue(tx, IMPORT_CODES_QUEUE, { accountId, importId: id });
      if (failure) {
        const { row: number, code, message } = failure;
        await finishImport(services, tx, row, { status: 'FAILED', error: { row: number, code, message } });
      } else if (isLast) await finishImport(services, tx, row, { status: 'COMPLETED' });
      return true;
    }),
  );
}

/** End an open import, remove its file and record it. */
export async function finishImport(
  { files }: Pick<QrCodeServices, 'files'>,
  tx: Tx,
  { accountId, id }: ImportKey,
  end: Exclude<ImportEnd, { status: 'CANCELED' }>,
): Promise<void> {
  const ended = await endImport(tx, { accountId, id }, end, getImportExpiryDate());
  if (!ended) return;
  if (ended.fileId) await files.remove(tx, [ended.fileId]);
  await insertAuditEntry(tx, {
    action: end.status === 'COMPLETED' ? 'IMPORT_COMPLETED' : 'IMPORT_FAILED',
    outcome: end.status === 'COMPLETED' ? 'SUCCESS' : 'FAILURE',
    resourceId: accountId,
    ...createAuditOrigin({ accountId, requestId: ended.requestId }),
  });
}

function hasOnlyFailures({ created, updated, unchanged, failed }: ImportView['counts']): boolean {
  return failed >= MAX_FAILED_FROM_START && created + updated + unchanged === 0;
}

function createAuditOrigin({ accountId, requestId }: Pick<ImportRecord, 'accountId' | 'requestId'>) {
  return { actorId: accountId, operation: IMPORT_CODES_QUEUE.name, requestId };
}

export function getImportExpiryDate(): Date {
  return new Date(Date.now() + LIFETIMES_SECONDS.finishedImport * 1000);
}

function toRowErrors(
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

/** The audit trail has the rows under the request that began the import. */
function createImportContext({ accountId, requestId }: ImportRecord): RequestContext {
  return {
    user: null,
    linkUserId: accountId,
    address: '',
    userAgent: '',
    method: '',
    purpose: '',
    isNavigation: false,
    acceptLanguage: undefined,
    requestId,
    operation: IMPORT_CODES_QUEUE.name,
    audit: auditAs('QRCODE_UPDATED'),
    idempotencyKey: undefined,
    target: '',
  };
}
