import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import type { ErasureRow } from '../../../platform/personal-data.ts';
import { executeSql, querySql } from '../../../platform/sql.ts';
import type { ListSort } from '../../../shared/list-cursor.ts';

export type SavedViewRow = NonNullable<Awaited<ReturnType<typeof findSavedView>>>;

/** The primary key of a saved view. */
export interface SavedViewKey {
  accountId: string;
  id: string;
}

export interface SavedViewValues {
  name: string;
  query: object;
  position: number;
}

/** Deleted ones that an account keeps, the last ones. */
const MAX_DELETED_SAVED_VIEWS = 50;

export const SAVED_VIEW_ORDER: ListSort<Pick<SavedViewRow, 'id' | 'position'>> = {
  name: 'position',
  keyType: 'integer',
  getPosition: ({ id, position }) => ({ key: position, id }),
};

/** List the saved views of an account in their order. They are few. */
export async function listSavedViews(db: Db, accountId: string) {
  return db.savedView.findMany({
    where: { accountId, deletedAt: null },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
}

export async function findSavedView(db: Db, { accountId, id }: SavedViewKey) {
  return db.savedView.findFirst({ where: { accountId, id, deletedAt: null } });
}

/** Find a deleted view that can still be restored. */
export async function findDeletedSavedView(db: Db, { accountId, id }: SavedViewKey, deletedSince: Date) {
  return db.savedView.findFirst({ where: { accountId, id, deletedAt: { gte: deletedSince } } });
}

export async function lockSavedView(tx: Tx, { accountId, id }: SavedViewKey): Promise<void> {
  await querySql(tx)`
    SELECT FROM saved_views WHERE account_id = ${accountId} AND id = ${id} FOR NO KEY UPDATE`;
}

export async function insertSavedView(tx: Tx, row: SavedViewKey & SavedViewValues): Promise<SavedViewRow> {
  return tx.savedView.create({ data: { ...row, query: row.query as Prisma.InputJsonObject } });
}

/** Update a view that this transaction has locked; `deletedAt` deletes it, or restores it. */
export async function updateSavedView(
  tx: Tx,
  { accountId, id }: SavedViewKey,
  { query, ...values }: Partial<SavedViewValues & { deletedAt: Date | null }>,
): Promise<SavedViewRow> {
  return tx.savedView.update({
    where: { accountId_id: { accountId, id } },
    data: {
      ...values,
      ...(query && { query: query as Prisma.InputJsonObject }),
      version: { increment: 1 },
      updatedAt: new Date(),
    },
  });
}

/** Remove the deleted views of an account that are more than it keeps, the oldest ones. */
export async function trimDeletedSavedViews(tx: Tx, accountId: string): Promise<void> {
  await executeSql(tx)`
    DELETE FROM saved_views WHERE account_id = ${accountId} AND id IN (
      SELECT id FROM saved_views WHERE account_id = ${accountId} AND deleted_at IS NOT NULL
      ORDER BY deleted_at DESC, id DESC OFFSET ${MAX_DELETED_SAVED_VIEWS})`;
}

/** Remove views that were deleted before a time. */
export async function removeDeletedSavedViews(db: Db, deletedBefore: Date): Promise<void> {
  await db.savedView.deleteMany({ where: { deletedAt: { lt: deletedBefore } } });
}

/** Delete all saved views of an erased account: there are at most a hundred. */
export async function eraseSavedViews(tx: Tx, { userId }: ErasureRow): Promise<true> {
  await tx.savedView.deleteMany({ where: { accountId: userId } });
  return true;
}
