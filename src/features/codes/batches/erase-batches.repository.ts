import { Prisma } from '../../../generated/prisma/client.ts';
import type { Tx } from '../../../platform/database.ts';
import type { ErasureBatchOptions, ErasureRow } from '../../../platform/personal-data.ts';
import { executeSql, querySql, sql } from '../../../platform/sql.ts';

/** Delete some tags of an erased account, and the batches that have none left. True once no batch remains. */
export async function eraseBatches(
  tx: Tx,
  { userId }: ErasureRow,
  { limit, skipLocked }: ErasureBatchOptions,
): Promise<boolean> {
  const skip = skipLocked ? sql`SKIP LOCKED` : Prisma.empty;
  await cancelBatches(tx, userId, skip);
  const tags = await executeSql(tx)`
    WITH picked AS MATERIALIZED (
      SELECT batch_id, position FROM batch_tags WHERE account_id = ${userId}
      ORDER BY batch_id, position LIMIT ${limit} FOR UPDATE ${skip}
    )
    DELETE FROM batch_tags AS tag USING picked
    WHERE tag.account_id = ${userId} AND tag.batch_id = picked.batch_id AND tag.position = picked.position`;
  if (tags < limit) await deleteEmptyBatches(tx, userId, limit, skip);
  const rows = await querySql<unknown>(tx)`SELECT 1 FROM batches WHERE account_id = ${userId} LIMIT 1`;
  return rows.length === 0;
}

/** Otherwise their jobs would create tags beside the erasure. */
async function cancelBatches(tx: Tx, accountId: string, skip: Prisma.Sql): Promise<void> {
  await executeSql(tx)`
    WITH picked AS MATERIALIZED (
      SELECT id FROM batches WHERE account_id = ${accountId} AND finished_at IS NULL ORDER BY id FOR UPDATE ${skip}
    )
    UPDATE batches SET status = 'CANCELED', finished_at = ${new Date()}, titles = NULL
    FROM picked WHERE batches.account_id = ${accountId} AND batches.id = picked.id`;
}

async function deleteEmptyBatches(tx: Tx, accountId: string, limit: number, skip: Prisma.Sql): Promise<void> {
  await executeSql(tx)`
    WITH picked AS MATERIALIZED (
      SELECT id FROM batches WHERE account_id = ${accountId} AND NOT EXISTS (
        SELECT FROM batch_tags AS tag WHERE tag.account_id = ${accountId} AND tag.batch_id = batches.id)
      ORDER BY id LIMIT ${limit} FOR UPDATE ${skip}
    )
    DELETE FROM batches USING picked WHERE batches.account_id = ${accountId} AND batches.id = picked.id`;
}
