import { insertAuditEntry } from '../../../platform/audit.repository.ts';
import type { Tx } from '../../../platform/database.ts';
import { toIntegrityFailureAuditEntry } from '../../../platform/integrity-failure.ts';
import { type JobHandler, SilentRetryError } from '../../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../../platform/jobs.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import type { PendingFile } from '../../files/index.ts';
import { parseImportedItem } from '../bulk/parse-bulk-item.ts';
import { type BulkItemBody, putItems } from '../bulk/put-qrcodes.ts';
import { resolveImportedFolders } from '../folders/resolve-imported-folders.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
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
import type { ImportView } from './imports.schemas.ts';
import { openImportFile } from './open-import-file.ts';
import { publishImportProgress } from './publish-import-progress.ts';
import { type RowPosition, readImportRows } from './read-rows.ts';
import { storeRejectedRows } from './rejected-rows.ts';
import { toRowErrors } from './row-errors.ts';

/** A job imports for some seconds, then enqueues the next one, so that accounts alternate. */
export const IMPORT_CODES_QUEUE: JobQueueDefinition = {
  name: 'import-codes',
  expireInSeconds: 120,
  retryLimit: 10,
  retryDelay: 5,
};

const MAX_RUN_MS = 10_000;

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
      if (row.account.status !== 'ACTIVE') throw new ServiceError('ACCOUNT_SUSPENDED');
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
      publishImportProgress(services, row);
    }
  };
}

/** Read batches until the end, or for `maxRunMs`. */
async function importRows(services: QrCodeServices, row: ImportRecord, maxRunMs: number): Promise<void> {
  const endsAt = Date.now() + maxRunMs;
  let position: RowPosition = { rowNumber: row.rowNumber, bytesRead: Number(row.bytesRead) };
  const file = openImportFile(services, row);
  for await (const batch of readImportBatches(readImportRows(file, position), position)) {
    const isRunOver = !batch.isLast && Date.now() >= endsAt;
    const outcome = await importBatch(services, row, position, batch, isRunOver);
    if (typeof outcome === 'object') await endWithRejectedRows(services, row, outcome);
    publishImportProgress(services, row);
    if (outcome !== 'STORED' || isRunOver) break;
    position = batch.end;
  }
  services.jobs.wake(IMPORT_CODES_QUEUE);
}

type ReachedEnd = Exclude<ImportEnd, { status: 'CANCELED' }>;

/** Store a batch. It can be the end of the import; LOST if the import has ended, or another worker has it. */
async function importBatch(
  services: QrCodeServices,
  row: ImportRecord,
  from: RowPosition,
  { items, rowNumbers, columns, end, isLast, failure }: RowBatch,
  isRunOver: boolean,
): Promise<'STORED' | 'LOST' | ReachedEnd> {
  const { accountId, id } = row;
  if (!(await findOpenImport(services.database.client, row))) return 'LOST';
  const parse = (item: unknown) => parseImportedItem(services, item);
  const context = createImportContext(row);
  const resolveFolders = (bodies: ReadonlyMap<number, BulkItemBody>) =>
    resolveImportedFolders(services, context, accountId, bodies);
  const input = { accountId, items, parse, createBudget: () => NO_BUDGET, resolveFolders };
  return putItems(services, context, input, (insert) =>
    services.database.transaction(async (tx): Promise<'STORED' | 'LOST' | ReachedEnd> => {
      if (!(await advanceImport(tx, row, from, end))) return 'LOST';
      const { data, counts } = await insert(tx);
      const sums = await addImportOutcomes(tx, row, from, counts, toRowErrors(data, rowNumbers, columns));
      if (hasOnlyFailures(sums) && !data.some(({ error }) => error?.code === 'PLAN_LIMIT_REACHED'))
        return { status: 'FAILED', error: TOO_MANY_ERRORS };
      if (isRunOver) await services.jobs.enqueue(tx, IMPORT_CODES_QUEUE, { accountId, importId: id });
      if (failure) {
        const { row: number, code, message } = failure;
        return { status: 'FAILED', error: { row: number, code, message } };
      }
      return isLast ? { status: 'COMPLETED' } : 'STORED';
    }),
  );
}

/** A job that is killed before is repeated, and finds nothing left to import. */
async function endWithRejectedRows(
  services: QrCodeServices,
  row: ImportRecord,
  end: ReachedEnd,
): Promise<void> {
  const rejected = await storeRejectedRows(services, row);
  const isEnded = await services.database.transaction((tx) => finishImport(services, tx, row, end, rejected));
  if (rejected && !isEnded) await services.files.discardPending(rejected);
}

/** End an open import, replace its file by the rows that were rejected, and record it; false if it is not open. */
export async function finishImport(
  { files }: Pick<QrCodeServices, 'files'>,
  tx: Tx,
  { accountId, id }: ImportKey,
  end: ReachedEnd,
  rejected: PendingFile | null = null,
): Promise<boolean> {
  const fileId = rejected?.id ?? null;
  const ended = await endImport(tx, { accountId, id }, { ...end, fileId }, getImportExpiryDate());
  if (!ended) return false;
  if (rejected) await files.commit(tx, rejected);
  if (ended.fileId) await files.remove(tx, [ended.fileId]);
  await insertAuditEntry(tx, {
    action: end.status === 'COMPLETED' ? 'IMPORT_COMPLETED' : 'IMPORT_FAILED',
    outcome: end.status === 'COMPLETED' ? 'SUCCESS' : 'FAILURE',
    resourceId: accountId,
    ...createAuditOrigin({ accountId, ...ended }),
  });
  return true;
}

function hasOnlyFailures({ created, updated, unchanged, failed }: ImportView['counts']): boolean {
  return failed >= MAX_FAILED_FROM_START && created + updated + unchanged === 0;
}

type ImportOrigin = Pick<ImportRecord, 'accountId' | 'createdBy' | 'requestId'>;

function createAuditOrigin({ accountId, createdBy, requestId }: ImportOrigin) {
  return { actorId: createdBy ?? accountId, accountId, operation: IMPORT_CODES_QUEUE.name, requestId };
}

export function getImportExpiryDate(): Date {
  return new Date(Date.now() + LIFETIMES_SECONDS.finishedImport * 1000);
}

/** The audit trail has the rows under the request that began the import. */
function createImportContext({ accountId, createdBy, requestId }: ImportRecord): RequestContext {
  return {
    user: null,
    linkUserId: createdBy ?? accountId,
    linkAccountId: accountId,
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
