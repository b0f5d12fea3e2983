import type { Db } from '../../../platform/database.ts';
import type { ListRange, ListSort } from '../../../shared/list-cursor.ts';
import type { BatchKey } from './batch.repository.ts';
import { type BatchTagRow, countTagsInRange, listBatchTags } from './batch-tag.repository.ts';
import { MAX_BATCH_TAGS } from './batches.schemas.ts';
import { getOwnBatch } from './change-batch.use-case.ts';

/** Numbers are unique in a batch. */
export const TAGS_BY_NUMBER: ListSort<BatchTagRow> = {
  name: 'number',
  keyType: 'integer',
  getPosition: ({ position, qrCodeId }) => ({ key: position, id: qrCodeId }),
};

/** List a page of the tags of a batch, with their total for a page by number. @throws NOT_FOUND */
export async function listOwnBatchTags(
  db: Db,
  key: BatchKey,
  { from = 1, to = MAX_BATCH_TAGS }: { from?: number; to?: number },
  { skip, take, after }: ListRange,
): Promise<{ rows: BatchTagRow[]; total: number }> {
  await getOwnBatch(db, key);
  // Tags have consecutive numbers.
  const first = Math.max(from + skip, Number(after?.key ?? 0) + 1);
  const rows = await listBatchTags(db, key, { from: first, to }, take);
  const total = after === undefined ? await countTagsInRange(db, key, { from, to }) : 0;
  return { rows, total };
}
