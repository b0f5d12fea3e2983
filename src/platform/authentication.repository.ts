import type { Prisma } from '../generated/prisma/client.ts';
import { LIFETIMES_SECONDS } from '../shared/lifetimes.ts';
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
  /** The recorded last use is too old: by a minute in enterprise mode, by an hour for the session of a browser. */
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

/** Find the open session of a browser by its cookie; null when it is unknown, ended or expired, or the cookie was replaced. */
export async function findOpenSessionByCookie(
  connection: SqlConnection,
  { sessionId, secretHash }: { sessionId: string; secretHash: Uint8Array },
  enforcedGlobally: boolean,
  staffMustEnroll: boolean,
): Promise<OpenSession | null> {
  const condition = sql`session.id = ${sessionId} AND session.cookie_hash = ${secretHash}::bytea`;
  const rows = await querySql<OpenSession>(connection, { isPrepared: true })(
    buildOpenSessionsQuery(condition, enforcedGlobally, staffMustEnroll),
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
           session.last_used_at <= now() - CASE WHEN ${isEnterprise} THEN interval '1 minute' ELSE interval '1 hour' END
             AND (${isEnterprise} OR session.cookie_hash IS NOT NULL) AS "isStale"
    FROM sessions AS session JOIN users AS person ON person.id = session.user_id
    WHERE ${condition} AND session.ended_at IS NULL AND session.expires_at > now()
      AND NOT ${isTooOld} AND person.status NOT IN ('PENDING_VERIFICATION', 'DELETED')`;
}

/** Record the use of a session. That of a browser lasts as long as a refresh token from its last use. */
export async function touchSession(
  db: Db,
  { sessionId, isEnterprise }: Pick<OpenSession, 'sessionId' | 'isEnterprise'>,
): Promise<void> {
  const { refreshToken } = LIFETIMES_SECONDS;
  const maxSession = isEnterprise ? LIFETIMES_SECONDS.enterpriseSession : LIFETIMES_SECONDS.maxSession;
  await executeSql(db)`
    UPDATE sessions SET last_used_at = now(), expires_at = CASE WHEN cookie_hash IS NULL THEN expires_at ELSE
      LEAST(now() + ${refreshToken}::int * interval '1 second', created_at + ${maxSession}::int * interval '1 second') END
    WHERE id = ${sessionId} AND ended_at IS NULL AND last_used_at <= now() - interval '1 minute'`;
}

/** End an idle session; true for only one of parallel calls. */
export async function endIdleSession(tx: Tx, sessionId: string): Promise<boolean> {
  const ended = await executeSql(tx)`
    UPDATE sessions SET ended_at = now(), end_reason = 'IDLE' WHERE id = ${sessionId} AND ended_at IS NULL`;
  return ended === 1;
}
