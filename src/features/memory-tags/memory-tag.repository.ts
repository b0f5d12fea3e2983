import { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { insertDeletion } from '../../platform/deletion.repository.ts';
import {
  createReferenceConditions,
  createTimeRangeConditions,
} from '../../platform/list-filter.repository.ts';
import {
  createAfterConditions,
  createOrderSql,
  createSqlListSorts,
  RECORD_TIME_SORTS,
  type SqlListSort,
} from '../../platform/list-order.repository.ts';
import { querySql, sql } from '../../platform/sql.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import type { ListRange } from '../../shared/list-cursor.ts';
import type { ReferenceFilter } from '../../shared/metadata.schemas.ts';
import type { TimeRange } from '../../shared/time-filters.ts';
import type { MemoryTagFields } from './memory-tag.rules.ts';

export type MemoryTagRow = NonNullable<Awaited<ReturnType<typeof findMemoryTag>>>;

export const MEMORY_TAG_SORTS = ['-createdAt', 'createdAt', '-updatedAt', 'updatedAt'] as const;

export const MEMORY_TAG_LIST_SORTS = createSqlListSorts<MemoryTagRow, (typeof MEMORY_TAG_SORTS)[number]>({
  ...RECORD_TIME_SORTS,
});

interface MemoryTagListFilter extends ReferenceFilter {
  updatedSince?: Date | undefined;
  created?: TimeRange | undefined;
}

export async function listMemoryTags(
  db: Db,
  accountId: string,
  { updatedSince, created, ...references }: MemoryTagListFilter,
  sort: SqlListSort<MemoryTagRow>,
  { skip, take, after }: ListRange,
): Promise<{ rows: MemoryTagRow[]; total: number }> {
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(updatedSince ? [sql`updated_at >= ${updatedSince}`] : []),
    ...createTimeRangeConditions(sql`created_at`, created),
    ...createReferenceConditions(references),
  ];
  const where = Prisma.join(conditions, ' AND ');
  const whereAfter = Prisma.join([...conditions, ...createAfterConditions(sort, after)], ' AND ');
  const picked = await querySql<{ id: string }>(db)`
    SELECT id FROM memory_tags WHERE ${whereAfter} ORDER BY ${createOrderSql(sort)} LIMIT ${take} OFFSET ${skip}`;
  const ids = picked.map(({ id }) => id);
  const [rows, counted] = await Promise.all([
    db.memoryTag.findMany({ where: { accountId, id: { in: ids } } }),
    querySql<{ total: number }>(db)`SELECT count(*)::int AS total FROM memory_tags WHERE ${where}`,
  ]);
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  return { rows: ids.flatMap((id) => rowsById.get(id) ?? []), total: counted[0]?.total ?? 0 };
}

/** @throws EXTERNAL_ID_TAKEN if another memory tag of the owner has the id */
export async function assertMemoryTagExternalIdFree(
  db: Db,
  { id, accountId, externalId }: { id?: string; accountId: string; externalId: string | null | undefined },
): Promise<void> {
  if (!externalId) return;
  const others = id === undefined ? {} : { id: { not: id } };
  if ((await db.memoryTag.count({ where: { accountId, externalId, ...others } })) > 0)
    throw new ServiceError('EXTERNAL_ID_TAKEN');
}

/** Find a memory tag without an access check: see `findEditableMemoryTag`. */
export async function findMemoryTag(db: Db, id: string) {
  return db.memoryTag.findUnique({ where: { id } });
}

/** Find the memory tag that the page of a code shows: the oldest one of its owner with this code. */
export async function findMemoryTagOfCode(
  db: Db,
  { id: qrCodeId, accountId }: { id: string; accountId: string },
): Promise<MemoryTagRow | null> {
  return db.memoryTag.findFirst({
    where: { qrCodeId, accountId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

export async function lockMemoryTag(tx: Tx, id: string): Promise<void> {
  await querySql(tx)`SELECT FROM memory_tags WHERE id = ${id} FOR UPDATE`;
}

/** Lock a memory tag against deletion for this transaction; false if it does not exist. */
export async function lockMemoryTagForKeyShare(
  tx: Tx,
  { id, accountId }: Pick<MemoryTagRow, 'id' | 'accountId'>,
): Promise<boolean> {
  const rows = await querySql<unknown>(tx)`
    SELECT 1 FROM memory_tags WHERE account_id = ${accountId} AND id = ${id} FOR KEY SHARE`;
  return rows.length > 0;
}

export async function insertMemoryTag(
  tx: Tx,
  accountId: string,
  fields: MemoryTagFields & { name: string },
): Promise<MemoryTagRow> {
  return tx.memoryTag.create({ data: { id: generateId(), accountId, ...fields } });
}

/** Update a memory tag that this transaction has locked. */
export async function updateMemoryTag(
  tx: Tx,
  { id, accountId }: Pick<MemoryTagRow, 'id' | 'accountId'>,
  fields: MemoryTagFields,
): Promise<MemoryTagRow> {
  return tx.memoryTag.update({
    where: { id, accountId },
    data: { ...fields, version: { increment: 1 }, updatedAt: new Date() },
  });
}

/** Delete a memory tag that this transaction has locked. */
export async function deleteMemoryTag(
  tx: Tx,
  { id, accountId }: Pick<MemoryTagRow, 'id' | 'accountId'>,
): Promise<void> {
  await tx.memoryTag.delete({ where: { id, accountId }, select: { id: true } });
  await insertDeletion(tx, { accountId, type: 'MEMORY_TAG', id });
}
