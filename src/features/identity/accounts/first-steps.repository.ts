import type { Db } from '../../../platform/database.ts';
import { executeSql } from '../../../platform/sql.ts';

/** HIDDEN is no step: the user no longer wants to see them. */
export type FirstStep = 'PRINTED' | 'PRACTICED' | 'HIDDEN';

/** Find what a user did of the first steps. */
export async function findFirstSteps(db: Db, userId: string): Promise<readonly string[]> {
  const row = await db.user.findUnique({ where: { id: userId }, select: { firstSteps: true } });
  return row?.firstSteps ?? [];
}

/** Record a step; once, however often it is done. */
export async function addFirstStep(db: Db, userId: string, step: FirstStep): Promise<void> {
  await executeSql(db)`
    UPDATE users SET first_steps = first_steps || ${step}::text
    WHERE id = ${userId} AND status <> 'DELETED' AND NOT ${step}::text = ANY (first_steps)`;
}
