import { Prisma } from '../generated/prisma/client.ts';
import type { TimeCursor } from '../shared/time-cursor.ts';
import type { Db, Tx } from './database.ts';
import type { ExportRowSource, RowErasureStep } from './personal-data.ts';
import { executeSql, querySql, sql } from './sql.ts';

export interface SizedRowCursor extends TimeCursor {
  bytes: number;
}

/** List the cursors of rows of a user after a cursor (null: from the newest on). The cost does not depend on the depth. */
export async function listUserRowCursors(
  db: Db,
  source: ExportRowSource,
  userId: string,
  after: TimeCursor | null,
  take: number,
): Promise<SizedRowCursor[]> {
  const table = Prisma.raw(source.table);
  const user = Prisma.raw(source.user);
  const at = Prisma.raw(source.at);
  const bytes = Prisma.raw(source.bytes ?? '0');
  const where = source.where ? Prisma.raw(`AND ${source.where}`) : Prisma.empty;
  const whereAfter = after ? sql`AND (${at}, id) < (${after.at}, ${after.id})` : Prisma.empty;
  return querySql<SizedRowCursor>(db)`
    SELECT ${at} AS at, id, ${bytes} AS bytes FROM ${table} WHERE ${user} = ${userId} ${where} ${whereAfter}
    ORDER BY ${at} DESC, id DESC LIMIT ${take}`;
}

/** Create a step that deletes rows of a user by the column with the user's id. Names become SQL. */
export function createRowDeletionStep(table: string, user: string, key = 'id'): RowErasureStep {
  return async (tx, { userId }, { limit }) =>
    (await deleteUserRows(tx, { table, user, key }, userId, limit)) < limit;
}

/** Create a step of several, in their order: each begins once no rows of the one before remain. */
export function combineErasureSteps(...steps: readonly RowErasureStep[]): RowErasureStep {
  return async (tx, erasure, batch) => {
    for (const erase of steps) if (!(await erase(tx, erasure, batch))) return false;
    return true;
  };
}

/** Delete up to `limit` rows of a user, for whom `key` is unique. */
export async function deleteUserRows(
  tx: Tx,
  names: { table: string; user: string; key: string },
  userId: string,
  limit: number,
): Promise<number> {
  const [table, user, key] = [names.table, names.user, names.key].map((name) => Prisma.raw(name));
  return executeSql(tx)`
    DELETE FROM ${table} WHERE ${user} = ${userId} AND ${key} IN (SELECT ${key} FROM ${table} WHERE ${user} = ${userId} LIMIT ${limit})`;
}
