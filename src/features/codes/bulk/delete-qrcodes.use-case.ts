import { recordAuditEntries } from '../../../platform/audit.ts';
import type { IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { softDeleteQrCodes } from '../deleted-qrcode.repository.ts';
import { removeQrCodeImage } from '../image-files.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import {
  type BulkResult,
  catchItemError,
  createResult,
  toBulkResult,
  toFailedResult,
} from './bulk-results.ts';
import { type BulkTarget, findTargetCodes } from './find-target-codes.ts';
import { limitBulkRequests } from './limit-bulk-requests.ts';

const REMOVE_CONCURRENCY = 8;

/** Delete codes in the transaction that stores the response; they can be restored for 30 days. @throws RATE_LIMITED, BUSY */
export async function deleteQrCodes(
  services: QrCodeServices,
  context: RequestContext,
  accountId: string,
  targets: readonly BulkTarget[],
): Promise<IdempotentResult<BulkResult>> {
  return limitBulkRequests(accountId, targets, async () => {
    const imageFiles: (string | null)[] = [];
    const input = { who: accountId, fingerprint: targets };
    const deleted = await services.createIdempotently(context, input, async (tx) => {
      const results = targets.map(({ externalId = null }, index) => createResult(index, externalId));
      const getTarget = await findTargetCodes(tx, context, accountId, targets);
      const indexesById = new Map<string, number>();
      for (const [index, target] of targets.entries())
        await catchItemError(results, index, () => void indexesById.set(getTarget(target).id, index));
      const rows = await softDeleteQrCodes(tx, accountId, [...indexesById.keys()]);
      const ids = rows.map(({ id }) => id);
      await recordAuditEntries(tx, context, ids);
      await services.events.publish(
        tx,
        'code.deleted',
        ...rows.map(({ id, version }) => ({ accountId, qrCodeId: id, version })),
      );
      const deletedIds = new Set(ids);
      for (const [id, index] of indexesById) {
        const result = createResult(index, results[index]?.externalId ?? null);
        results[index] = deletedIds.has(id)
          ? { ...result, id, outcome: 'DELETED' }
          : toFailedResult(result, new ServiceError('NOT_FOUND'));
      }
      imageFiles.push(...rows.map(({ imageFile }) => imageFile));
      return { body: toBulkResult(results, targets) };
    });
    for (let at = 0; at < imageFiles.length; at += REMOVE_CONCURRENCY)
      await Promise.all(
        imageFiles
          .slice(at, at + REMOVE_CONCURRENCY)
          .map((imageFile) => removeQrCodeImage(services.publicFiles, imageFile)),
      );
    return deleted;
  });
}
