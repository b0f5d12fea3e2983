import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import { getFolderLimit } from '../../../platform/acting-account.ts';
import { mapDatabaseError } from '../../../platform/http/database-errors.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { createConcurrencyLimiter } from '../../../shared/limiter.ts';
import { getQrCodeRowPayload } from '../draw-qrcode.ts';
import type { QrCodeWithScanCounts } from '../qrcode.repository.ts';
import { getQrCodeDesign } from '../qrcode.view.ts';
import { mergeQrCodeDesign, toQrCodeDesignInput } from '../qrcode-input.rules.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import type { QrCodeChange } from '../qrcodes.schemas.ts';
import {
  prepareQrCodeUpdate,
  type QrCodeUpdate,
  storeQrCodeUpdates,
  updateOwnQrCode,
} from '../update-own-qrcode.use-case.ts';
import type { BulkBudget } from './bulk-budget.ts';
import { type BulkItemResult, catchItemError, createResult, toSuccessfulResult } from './bulk-results.ts';

/** Items in one transaction, which holds their locks for a tenth of a second. */
const BATCH_ITEMS = 50;

/** Checks that wait for the database or a hash at the same time. */
const CONCURRENCY = 4;

export interface BulkUpdate {
  index: number;
  /** Find the code and its change; an error fails the item. */
  find(): { before: QrCodeWithScanCounts; change: Static<typeof QrCodeChange> };
}

interface CheckedUpdate {
  index: number;
  change: Static<typeof QrCodeChange>;
  update: QrCodeUpdate;
}

interface UpdateItemsInput {
  updates: readonly BulkUpdate[];
  results: BulkItemResult[];
  budget: BulkBudget;
  /** Ends the updates; those that are done stay. */
  signal: AbortSignal | undefined;
}

/** Update different codes of a bulk request, some in a transaction; an item that fails does not affect others. */
export async function updateItems(
  services: QrCodeServices,
  context: RequestContext,
  { updates, results, budget, signal }: UpdateItemsInput,
): Promise<void> {
  const limiter = createConcurrencyLimiter(CONCURRENCY);
  for (let start = 0; start < updates.length; start += BATCH_ITEMS) {
    signal?.throwIfAborted();
    const checked: CheckedUpdate[] = [];
    const check = ({ index, find }: BulkUpdate) =>
      catchItemError(results, index, async () => {
        const { before, change } = find();
        consumeDesignCheck(services, budget, before, change);
        const update = await prepareQrCodeUpdate(services, before, change, getFolderLimit(context));
        if (update) checked.push({ index, change, update });
        else
          results[index] = toSuccessfulResult(
            services,
            createResult(index, before.externalId),
            'UNCHANGED',
            before,
          );
      });
    const batch = updates.slice(start, start + BATCH_ITEMS);
    await Promise.all(batch.map((update) => limiter(() => check(update))));
    const inOrder = checked.toSorted((one, other) => one.index - other.index);
    await storeBatch(services, context, inOrder, results);
  }
}

/** Store updates in one transaction, or each in its own if one of them fails. */
async function storeBatch(
  services: QrCodeServices,
  context: RequestContext,
  checked: readonly CheckedUpdate[],
  results: BulkItemResult[],
): Promise<void> {
  const report = (index: number, row: QrCodeWithScanCounts) => {
    results[index] = toSuccessfulResult(services, createResult(index, row.externalId), 'UPDATED', row);
  };
  if (checked.length === 0) return;
  try {
    const updates = checked.map(({ update }) => update);
    const rows = await storeQrCodeUpdates(services, context, updates);
    for (const [nth, row] of rows.entries()) report(checked[nth]?.index ?? 0, row);
  } catch (error) {
    if (!(error instanceof ServiceError) && mapDatabaseError(error)?.code !== 'CONFLICT') throw error;
    for (const { index, change, update } of checked)
      await catchItemError(results, index, async () =>
        report(index, await updateOwnQrCode(services, context, update.row, change, undefined)),
      );
  }
}

function consumeDesignCheck(
  services: QrCodeServices,
  budget: BulkBudget,
  before: QrCodeWithScanCounts,
  { design }: Static<typeof QrCodeChange>,
): void {
  if (design === undefined) return;
  const merged = mergeQrCodeDesign(getQrCodeDesign(before), design);
  if (!isDeepStrictEqual(merged, getQrCodeDesign(before)))
    budget.consumeDesignCheck(getQrCodeRowPayload(services, before), toQrCodeDesignInput(merged));
}
