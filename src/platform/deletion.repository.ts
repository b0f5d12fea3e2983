import { Prisma } from '../generated/prisma/client.ts';
import { type ListRange, toTimePosition } from '../shared/list-cursor.ts';
import type { Db, Tx } from './database.ts';
import { querySql, sql } from './sql.ts';

export type DeletionType = 'CONVERSATION' | 'DOCUMENT' | 'MEMORY_TAG' | 'QRCODE';

/** Remember the deletion of a record, in its transaction. */
export async function insertDeletion(
  tx: Tx,
  deletion: { accountId: string; type: DeletionType; id: string },
): Promise<void> {
  await tx.deletion.createMany({ data: [{ ...deletion, deletedAt: new Date() }] });
}

/** Forget the deletion of a record that was restored. */
export async function removeDeletion(
  tx: Tx,
  deletion: { accountId: string; type: DeletionType; id: string },
): Promise<void> {
  await tx.deletion.deleteMany({ where: deletion });
}

/** List deletions of a user since a time, oldest first. */
export async function listDeletions(
  db: Db,
  { accountId, type, since }: { accountId: string; type: DeletionType; since: Date },
  { take, after }: ListRange,
): Promise<{ id: string; deletedAt: Date }[]> {
  const position = toTimePosition(after);
  const whereAfter = position ? sql`AND (deleted_at, id) > (${position.at}, ${position.id})` : Prisma.empty;
  return querySql<{ id: string; deletedAt: Date }>(db)`
    SELECT id, deleted_at AS "deletedAt" FROM deletions
    WHERE account_id = ${accountId} AND type = ${type} AND deleted_at >= ${since} ${whereAfter}
    ORDER BY deleted_at, id LIMIT ${take}`;
}

export async function deleteExpiredDeletions(db: Db, before: Date): Promise<void> {
  await db.deletion.deleteMany({ where: { deletedAt: { lt: before } } });
}
