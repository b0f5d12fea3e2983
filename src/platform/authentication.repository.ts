import type { Prisma } from '../generated/prisma/client.ts';
import type { Db, Tx } from './database.ts';
import { buildEnterpriseConditions, buildSessionExpiryConditions } from './session-expiry.repository.ts';
import { executeSql, querySql, type SqlConnection, sql } from './sql.ts';

export interface OpenSession {
  sessionId: string;
  userId: string;
  email: string;
  role: string;
  status: string;
  timeZone: string;
  language: string;
  isEnterprise: boolean;
  mustEnroll: boolean;
  /** Idle for longer than enterprise mode allows; must be ended. */
  isIdle: boolean;
  /** The recorded last use is at least a minute old. */
  isStale: boolean;
}

/** Find an open session; null when it is unknown, ended or expired. */
export async function findOpenSession(
  connection: SqlConnection,
  sessionId: string,
  enforcedGlobally: boolean,
  staffMustEnroll = false,
): Promise<OpenSession | null> {
  const rows = await querySql<OpenSession>(connection, { isPrepared: true })(
    buildOpenSessionsQuery(sql`session.id = ${sessionId}`, enforcedGlobally, staffMustEnroll),
  );
  return rows[0] ?? null;
}

export async function findOpenSessions(
  connection: SqlConnection,
  sessionIds: readonly string[],
  enforcedGlobally: boolean,
): Promise<OpenSession[]> {
  return querySql<OpenSession>(connection, { isPrepared: true })(
    buildOpenSessionsQuery(sql`session.id = ANY (${[...sessionIds]}::text[])`, enforcedGlobally),
  );
}

function buildOpenSessionsQuery(
  condition: Prisma.Sql,
  enforcedGlobally: boolean,
  staffMustEnroll = false,
): Prisma.Sql {
  const { isEnterprise, isTooOld, isIdle } = buildSessionExpiryConditions(enforcedGlobally);
  const { mustEnroll } = buildEnterpriseConditions(enforcedGlobally, staffMustEnroll);
  return sql`
    SELECT session.id AS "sessionId", person.id AS "userId", person.email, person.role, person.status,
           person.time_zone AS "timeZone", person.language, ${isEnterprise} AS "isEnterprise", ${isIdle} AS "isIdle",
           ${mustEnroll} AS "mustEnroll",
           ${isEnterprise} AND session.last_used_at <= now() - interval '1 minute' AS "isStale"
    FROM sessions AS session JOIN users AS person ON person.id = session.user_id
    WHERE ${condition} AND session.ended_at IS NULL AND session.expires_at > now()
      AND NOT ${isTooOld} AND person.status NOT IN ('PENDING_VERIFICATION', 'DELETED')`;
}

export async function touchSession(db: Db, sessionId: string): Promise<void> {
  await executeSql(db)`
    UPDATE sessions SET last_used_at = now()
    WHERE id = ${sessionId} AND ended_at IS NULL AND last_used_at <= now() - interval '1 minute'`;
}

/** End an idle session; true for only one of parallel calls. */
export async function endIdleSession(tx: Tx, sessionId: string): Promise<boolean> {
  const ended = await executeSql(tx)`
    UPDATE sessions SET ended_at = now(), end_reason = 'IDLE' WHERE id = ${sessionId} AND ended_at IS NULL`;
  return ended === 1;
}
