import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import type { RequestContext } from '../../../platform/request-context.ts';
import { getQrCodeRowPayload } from '../draw-qrcode.ts';
import type { QrCodeWithScanCounts } from '../qrcode.repository.ts';
import { getQrCodeDesign } from '../qrcode.view.ts';
import { mergeQrCodeDesign, toQrCodeDesignInput } from '../qrcode-input.rules.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import type { QrCodeChange } from '../qrcodes.schemas.ts';
import { updateOwnQrCode } from '../update-own-qrcode.ts';
import type { BulkBudget } from './bulk-budget.ts';
import { type BulkItemResult, createResult, toSuccessfulResult } from './bulk-results.ts';

/** Connections to the database that one request uses. */
const CONCURRENCY = 4;

/** Run an update for each item, some at a time; the first error and the signal end it. */
export async function updateConcurrently<Item>(
  items: Iterable<Item>,
  signal: AbortSignal | undefined,
  update: (item: Item) => Promise<void>,
): Promise<void> {
  const next = items[Symbol.iterator]();
  let hasFailed = false;
  const work = async () => {
    for (let item = next.next(); !item.done && !hasFailed; item = next.next()) {
      signal?.throwIfAborted();
      await update(item.value);
    }
  };
  const stop = (error: unknown) => {
    hasFailed = true;
    throw error;
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, () => work().catch(stop)));
}

/** Update a code of a bulk request in its own transaction. @throws as `updateOwnQrCode` */
export async function updateItem(
  services: QrCodeServices,
  context: RequestContext,
  budget: BulkBudget,
  index: number,
  before: QrCodeWithScanCounts,
  change: Static<typeof QrCodeChange>,
): Promise<BulkItemResult> {
  if (change.design !== undefined) {
    const design = mergeQrCodeDesign(getQrCodeDesign(before), change.design);
    if (!isDeepStrictEqual(design, getQrCodeDesign(before)))
      budget.consumeDesignCheck(getQrCodeRowPayload(services, before), toQrCodeDesignInput(design));
  }
  const row = await updateOwnQrCode(services, context, before, change, undefined);
  const outcome = row.version === before.version ? 'UNCHANGED' : 'UPDATED';
  return toSuccessfulResult(services, createResult(index, row.externalId), outcome, row);
}
