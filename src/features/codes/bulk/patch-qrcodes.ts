import type { Static } from 'typebox';
import { addRuleErrors } from '../../../platform/http/request-rules.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { createValidationError, type FieldError } from '../../../shared/errors.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import type { QrCodeChange } from '../qrcodes.schemas.ts';
import { completePatchedData, findQrCodeChangeErrors } from '../update-own-qrcode.use-case.ts';
import type { BulkQrCodeChange } from './bulk.schemas.ts';
import { createBulkBudget } from './bulk-budget.ts';
import {
  type BulkResult,
  catchItemError,
  createResult,
  findExternalId,
  toBulkResult,
} from './bulk-results.ts';
import { findTargetCodes } from './find-target-codes.ts';
import { limitBulkRequests } from './limit-bulk-requests.ts';
import { updateItems } from './update-items.ts';

/** An item after its schema was checked; only valid ones have the type of the change. */
export interface CheckedBulkChange {
  change: Static<typeof BulkQrCodeChange>;
  schemaErrors: readonly FieldError[];
}

interface BulkPatchInput {
  items: readonly unknown[];
  check: (item: unknown) => CheckedBulkChange;
  isMergePatch: boolean;
  /** Ends the updates; those that are done stay. */
  disconnect: AbortSignal;
}

/** Update codes; an item that fails does not affect others. @throws RATE_LIMITED, BUSY */
export async function patchQrCodes(
  services: QrCodeServices,
  context: RequestContext,
  accountId: string,
  { items, check, isMergePatch, disconnect }: BulkPatchInput,
): Promise<BulkResult> {
  return limitBulkRequests(accountId, items, async () => {
    const results = items.map((item, index) => createResult(index, findExternalId(item)));
    const checked = new Map<number, CheckedBulkChange>();
    for (const [index, item] of items.entries())
      await catchItemError(results, index, () => void checked.set(index, check(item)));
    const targets = [...checked.values()].map(({ change }) => change);
    const getTarget = await services.database.transaction((tx) =>
      findTargetCodes(tx, context, accountId, targets),
    );
    const budget = createBulkBudget();
    const updates = [...checked].map(([index, { change, schemaErrors }]) => ({
      index,
      find() {
        const before = getTarget(change);
        const complete = <Body extends Static<typeof QrCodeChange>>(body: Body) =>
          isMergePatch ? completePatchedData(services, before, body) : body;
        if (schemaErrors.length > 0)
          throw createValidationError(
            ...addRuleErrors(change, schemaErrors, (body) =>
              findQrCodeChangeErrors(services, before, complete(body)),
            ),
          );
        if (change.pin) budget.consumePin();
        const { id: _found, ...fields } = complete(change);
        return { before, change: fields };
      },
    }));
    const batchServices = { ...services, pins: services.batchPins };
    await updateItems(batchServices, context, { updates, results, budget, signal: disconnect });
    return toBulkResult(results, items);
  });
}
