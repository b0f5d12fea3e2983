import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Db } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { createValidationError, ServiceError } from '../../../shared/errors.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import {
  type BatchKey,
  type BatchRecord,
  endBatch,
  findBatch,
  markBatchDeleted,
} from './batch.repository.ts';
import { DELETE_BATCH_QUEUE } from './batch-queues.ts';
import { markTags } from './batch-tag.repository.ts';
import type { BatchTagChangeBody } from './batches.schemas.ts';

/** @throws NOT_FOUND */
export async function getOwnBatch(db: Db, key: BatchKey): Promise<BatchRecord> {
  const row = await findBatch(db, key);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/** Stop creating the tags of a batch; those that exist stay. @throws NOT_FOUND, BATCH_FINISHED */
export function cancelBatch(
  { database }: Pick<QrCodeServices, 'database'>,
  context: RequestContext,
  key: BatchKey,
): Promise<BatchRecord> {
  return database.transaction(async (tx) => {
    if (!(await findBatch(tx, key))) throw new ServiceError('NOT_FOUND');
    if (!(await endBatch(tx, key, { status: 'CANCELED' }))) throw new ServiceError('BATCH_FINISHED');
    await recordAuditEntry(tx, context, { resourceId: key.accountId });
    const row = await findBatch(tx, key);
    if (!row) throw new ServiceError('NOT_FOUND');
    return row;
  });
}

/** Delete a batch: a job deletes its unclaimed tags. Wake the queue afterwards. @throws NOT_FOUND */
export function deleteBatch(
  { database, jobs }: Pick<QrCodeServices, 'database' | 'jobs'>,
  context: RequestContext,
  { accountId, id }: BatchKey,
): Promise<void> {
  return database.transaction(async (tx) => {
    if (!(await markBatchDeleted(tx, { accountId, id }))) throw new ServiceError('NOT_FOUND');
    await jobs.enqueue(tx, DELETE_BATCH_QUEUE, { accountId, batchId: id });
    await recordAuditEntry(tx, context, { resourceId: accountId });
  });
}

/** Mark a range of tags as printed or handed out, or no longer. @throws NOT_FOUND, VALIDATION_FAILED */
export function changeBatchTags(
  { database }: Pick<QrCodeServices, 'database'>,
  context: RequestContext,
  key: BatchKey,
  { from = 1, to, printed, handedOut }: BatchTagChangeBody,
): Promise<BatchRecord> {
  return database.transaction(async (tx) => {
    const { size } = (await findBatch(tx, key)) ?? {};
    if (size === undefined) throw new ServiceError('NOT_FOUND');
    const range = { from, to: to ?? size };
    if (range.to < from || range.to > size)
      throw createValidationError({
        field: 'to',
        code: 'OUT_OF_RANGE',
        message: `Must be between \`from\` and ${size}.`,
      });
    if (printed !== undefined) await markTags(tx, key, range, 'printed', printed);
    if (handedOut !== undefined) await markTags(tx, key, range, 'handedOut', handedOut);
    await recordAuditEntry(tx, context, { resourceId: key.accountId });
    const row = await findBatch(tx, key);
    if (!row) throw new ServiceError('NOT_FOUND');
    return row;
  });
}
