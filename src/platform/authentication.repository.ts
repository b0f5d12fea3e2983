import type { Db } from './database.ts';

/** An open session and the person it belongs to, as every request needs them. */
export interface OpenSession {
  sessionId: string;
  userId: string;
  email: string;
  role: string;
  status: string;
  timeZone: string;
}

/** The open session of this id, or null when it is unknown, ended or expired. */
export async function findOpenSession(db: Db, sessionId: string): Promise<OpenSession | null> {
  const rows = await db.$queryRaw<OpenSession[]>`
    SELECT session.id AS "sessionId", person.id AS "userId", person.email, person.role, person.status,
           person.time_zone AS "timeZone"
    FROM sessions AS session JOIN users AS person ON person.id = session.user_id
    WHERE session.id = ${sessionId} AND session.ended_at IS NULL AND session.expires_at > now()
      AND person.status NOT IN ('PENDING_VERIFICATION', 'DELETED')`;
  return rows[0] ?? null;
}
