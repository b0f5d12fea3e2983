import type { Db } from '../../platform/database.ts';

/** When a session began with a log-in; null when it is gone. */
export async function findSessionStart(db: Db, sessionId: string): Promise<Date | null> {
  const row = await db.session.findUnique({ where: { id: sessionId }, select: { createdAt: true } });
  return row?.createdAt ?? null;
}
