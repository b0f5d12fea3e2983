import { setImmediate as immediate } from 'node:timers/promises';
import { ServiceError } from '../../../shared/errors.ts';
import { type BulkItemResult, catchItemError, createResult, findExternalId } from '../bulk/bulk-results.ts';
import { parseImportedItem } from '../bulk/parse-bulk-item.ts';
import { assertFirstOfExternalId, type BulkItemBody, createNewItemCheck } from '../bulk/put-qrcodes.ts';
import { findQrCodesByExternalIds } from '../qrcode.repository.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { MAX_STORED_IMPORT_ERRORS } from './import.repository.ts';
import { type RowBatch, readImportBatches } from './import-batches.ts';
import type { ImportCheck } from './imports.schemas.ts';
import { type ImportFile, readImportRows } from './read-rows.ts';
import { toRowErrors } from './row-errors.ts';

const MAX_LISTED_ROWS = 5;

const CHUNK_ROWS = 25;

const MAX_CHECK_MS = 20_000;

/** Check all rows of a file as its import would, but create nothing. */
export async function dryRunImport(
  services: QrCodeServices,
  accountId: string,
  file: ImportFile,
  maxCheckMs = MAX_CHECK_MS,
): Promise<ImportCheck> {
  const endsAt = Date.now() + maxCheckMs;
  const start = { rowNumber: 0, bytesRead: 0 };
  const check: ImportCheck = {
    isComplete: true,
    rowsChecked: 0,
    counts: { created: 0, updated: 0, failed: 0 },
    rows: [],
    errors: [],
    error: null,
  };
  const newRows: number[] = [];
  const checkNewItem = createNewItemCheck(services, accountId);
  for await (const batch of readImportBatches(readImportRows(file, start), start)) {
    const results = await checkBatch(services, accountId, batch, checkNewItem);
    check.rowsChecked += results.length;
    for (const [index, { outcome }] of results.entries()) {
      const row = batch.rowNumbers[index] ?? 0;
      if (outcome === 'CREATED') newRows.push(row);
      if (outcome === 'UPDATED') check.counts.updated += 1;
      if (outcome === 'FAILED') check.counts.failed += 1;
      else if (check.rows.length < MAX_LISTED_ROWS) {
        const { pin: _secret, ...code } = Object(batch.items[index]);
        check.rows.push({ row, code });
      }
    }
    if (check.errors.length < MAX_STORED_IMPORT_ERRORS)
      check.errors.push(...toRowErrors(results, batch.rowNumbers, batch.columns));
    if (batch.failure) {
      const { row, code, message } = batch.failure;
      check.error = { row, code, message };
    }
    if (batch.isLast || Date.now() < endsAt) continue;
    check.isComplete = false;
    break;
  }
  await addQuotaErrors(services, accountId, check, newRows);
  check.errors.splice(MAX_STORED_IMPORT_ERRORS);
  return check;
}

async function checkBatch(
  services: QrCodeServices,
  accountId: string,
  { items }: RowBatch,
  checkNewItem: ReturnType<typeof createNewItemCheck>,
): Promise<BulkItemResult[]> {
  const results: BulkItemResult[] = [];
  const bodies = new Map<number, BulkItemBody>();
  const externalIds = new Set<string>();
  for (const [index, item] of items.entries()) {
    results.push(createResult(index, findExternalId(item)));
    await catchItemError(results, index, () => {
      const body = parseImportedItem(services, item);
      assertFirstOfExternalId(externalIds, body.externalId);
      bodies.set(index, body);
    });
    if (index % CHUNK_ROWS === 0) await immediate();
  }
  const existing = await findQrCodesByExternalIds(services.database.client, accountId, [...externalIds]);
  for (const [index, body] of bodies) {
    await catchItemError(results, index, async () => {
      const isUpdate = Boolean(body.externalId && existing.has(body.externalId));
      if (!isUpdate) await checkNewItem(body);
      results[index] = { ...createResult(index, null), outcome: isUpdate ? 'UPDATED' : 'CREATED' };
    });
    if (index % CHUNK_ROWS === 0) await immediate();
  }
  return results;
}

/** Rows beyond the package fail. */
async function addQuotaErrors(
  services: QrCodeServices,
  accountId: string,
  check: ImportCheck,
  newRows: readonly number[],
): Promise<void> {
  const allowed =
    newRows.length === 0
      ? 0
      : await services.database.transaction((tx) =>
          services.reserveAvailableQuota(tx, 'qrCodes', accountId, newRows.length),
        );
  check.counts.created = allowed;
  check.counts.failed += newRows.length - allowed;
  const { code, message } = new ServiceError('PLAN_LIMIT_REACHED', {
    detail: 'The package allows no more codes.',
  });
  const errors = newRows
    .slice(allowed, allowed + MAX_STORED_IMPORT_ERRORS)
    .map((row) => ({ row, field: null, code, message }));
  check.errors = [...check.errors, ...errors].toSorted((one, other) => one.row - other.row);
}
