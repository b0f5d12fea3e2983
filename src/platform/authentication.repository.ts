import type { Prisma } from '../generated/prisma/client.ts';
import { LIFETIMES_SECONDS } from '../shared/lifetimes.ts';
import type { ActingAccount } from './acting-account.ts';
import type { Db, Tx } from './database.ts';
import { FOLDER_IDS_SQL } from './membership.repository.ts';
import {
  ACCOUNT_REQUIRES_SECOND_FACTOR,
  buildSecondFactorCondition,
  buildSessionExpiryConditions,
  IS_SESSION_TOO_OLD_FOR_ACCOUNT,
} from './session-expiry.repository.ts';
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
  /** Null where the user is no member of the account that was named. */
  account: ActingAccount | null;
  /** Idle for longer than enterprise mode allows; must be ended. */
  isIdle: boolean;
  /** The recorded last use is too old: by a minute in enterprise mode, by an hour for the session of a browser. */
  isStale: boolean;
}

interface SessionOptions {
  staffMustEnroll?: boolean;
  /** The account that the user acts for; by default the personal one. */
  accountId?: string | null;
}

/** Find an open session; null when it is unknown, ended or expired. */
export async function findOpenSession(
  connection: SqlConnection,
  sessionId: string,
  enforcedGlobally: boolean,
  options: SessionOptions = {},
): Promise<OpenSession | null> {
  const [row] = await querySql<OpenSessionRow>(connection, { isPrepared: true })(
    buildOpenSessionsQuery(sql`session.id = ${sessionId}`, enforcedGlobally, options),
  );
  return row ? toOpenSession(row) : null;
}

/** Find the open session of a browser by its cookie; null when it is unknown, ended or expired, or the cookie was replaced. */
export async function findOpenSessionByCookie(
  connection: SqlConnection,
  { sessionId, secretHash }: { sessionId: string; secretHash: Uint8Array },
  enforcedGlobally: boolean,
  options: SessionOptions,
): Promise<OpenSession | null> {
  const condition = sql`session.id = ${sessionId} AND session.cookie_hash = ${secretHash}::bytea`;
  const [row] = await querySql<OpenSessionRow>(connection, { isPrepared: true })(
    buildOpenSessionsQuery(condition, enforcedGlobally, options),
  );
  return row ? toOpenSession(row) : null;
}

export async function findOpenSessions(
  connection: SqlConnection,
  sessionIds: readonly string[],
  enforcedGlobally: boolean,
): Promise<OpenSession[]> {
  const rows = await querySql<OpenSessionRow>(connection, { isPrepared: true })(
    buildOpenSessionsQuery(sql`session.id = ANY (${[...sessionIds]}::text[])`, enforcedGlobally, {}),
  );
  return rows.map(toOpenSession);
}

interface OpenSessionRow extends Omit<OpenSession, 'account'> {
  accountId: string | null;
  accountType: ActingAccount['type'];
  accountRole: ActingAccount['role'];
  accountStatus: ActingAccount['status'];
  isEnterpriseAccount: boolean;
  mustLogIn: boolean;
  folderIds: string[] | null;
}

function toOpenSession({
  accountId: id,
  accountType: type,
  accountRole: role,
  accountStatus: status,
  isEnterpriseAccount: isEnterprise,
  mustLogIn,
  folderIds,
  ...session
}: OpenSessionRow): OpenSession {
  const account = { type, role, status, isEnterprise, mustLogIn, folderIds };
  return { ...session, account: id === null ? null : { id, ...account } };
}

/** Sessions expire by what their user is: an account that it acts for now and then does not shorten them. */
function buildOpenSessionsQuery(
  condition: Prisma.Sql,
  enforcedGlobally: boolean,
  { staffMustEnroll = false, accountId = null }: SessionOptions,
): Prisma.Sql {
  const { isEnterprise: isEnterpriseUser, isTooOld, isIdle } = buildSessionExpiryConditions(enforcedGlobally);
  const isEnterprise = sql`(${isEnterpriseUser} OR coalesce(account.enterprise_mode, false))`;
  const isRequired = sql`(${isEnterpriseUser} OR coalesce(${ACCOUNT_REQUIRES_SECOND_FACTOR}, false))`;
  const mustEnroll = buildSecondFactorCondition(isRequired, staffMustEnroll);
  return sql`
    SELECT session.id AS "sessionId", person.id AS "userId", person.email, person.role, person.status,
           person.time_zone AS "timeZone", person.language, ${isEnterprise} AS "isEnterprise", ${isIdle} AS "isIdle",
           ${mustEnroll} AS "mustEnroll",
           session.last_used_at <= now() - CASE WHEN ${isEnterpriseUser} THEN interval '1 minute' ELSE interval '1 hour' END
             AND (${isEnterpriseUser} OR session.cookie_hash IS NOT NULL) AS "isStale",
           account.id AS "accountId", account.type AS "accountType", membership.role AS "accountRole",
           account.status AS "accountStatus",
           (account.enterprise_mode OR ${enforcedGlobally}) AS "isEnterpriseAccount",
           ${IS_SESSION_TOO_OLD_FOR_ACCOUNT} AS "mustLogIn", ${FOLDER_IDS_SQL} AS "folderIds"
    FROM sessions AS session JOIN users AS person ON person.id = session.user_id
    LEFT JOIN memberships AS membership
      ON membership.account_id = coalesce(${accountId}::text, person.id) AND membership.user_id = person.id
    LEFT JOIN accounts AS account ON account.id = membership.account_id AND account.status <> 'DELETED'
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
