import { type Db, notifyAfterCommit, type Tx } from '../../../platform/database.ts';
import { createAfterFilter } from '../../../platform/list-order.repository.ts';
import { getUserAccessTopic } from '../../../platform/realtime/realtime-messages.ts';
import { buildSessionExpiryConditions } from '../../../platform/session-expiry.repository.ts';
import { querySql } from '../../../platform/sql.ts';
import { truncateIpAddress, UNKNOWN_ADDRESS } from '../../../shared/client-address.ts';
import { generateId } from '../../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import type { ListRange } from '../../../shared/list-cursor.ts';

export type SessionEndReason =
  | 'LOGOUT'
  | 'REVOKED'
  | 'PASSWORD_RESET'
  | 'PASSWORD_CHANGED'
  | 'REFRESH_REUSE'
  | 'SUSPENDED'
  | 'ROLE_CHANGED'
  | 'ENDED_BY_ADMINISTRATOR'
  | 'IDLE'
  | 'SECOND_FACTOR_CHANGED'
  | 'IDENTITY_LINKED'
  | 'ERASED';

export interface LockedRefreshToken {
  id: string;
  sessionId: string;
  userId: string;
  email: string;
  role: string;
  isValid: boolean;
  /** Idle for longer than enterprise mode allows. */
  isIdle: boolean;
  isEnterprise: boolean;
  openedAt: Date;
  rotatedAt: Date | null;
}

/** Insert a session with its credential: a refresh token, or the cookie of a browser. */
export async function insertSession(
  tx: Tx,
  session: {
    userId: string;
    ip: string;
    userAgent: string;
    network: string;
    expiresAt: Date;
  } & ({ tokenHash: Uint8Array<ArrayBuffer> } | { cookieHash: Uint8Array<ArrayBuffer> }),
): Promise<string> {
  const { userId, ip, userAgent, network, expiresAt } = session;
  const cookieHash = 'cookieHash' in session ? session.cookieHash : null;
  const id = generateId();
  await tx.session.create({
    data: { id, userId, ip, userAgent, network, expiresAt, cookieHash },
    select: { id: true },
  });
  if ('tokenHash' in session)
    await insertRefreshToken(tx, { sessionId: id, tokenHash: session.tokenHash, expiresAt });
  return id;
}

export async function insertRefreshToken(
  tx: Tx,
  token: { sessionId: string; tokenHash: Uint8Array<ArrayBuffer>; expiresAt: Date },
): Promise<void> {
  await tx.refreshToken.create({ data: { id: generateId(), ...token }, select: { id: true } });
}

/** Lock a refresh token with its session, so that parallel uses are serialized. */
export async function lockRefreshToken(
  tx: Tx,
  tokenHash: Uint8Array,
  isEnterpriseEnforced: boolean,
): Promise<LockedRefreshToken | null> {
  const { isEnterprise, isTooOld, isIdle } = buildSessionExpiryConditions(isEnterpriseEnforced);
  const rows = await querySql<LockedRefreshToken>(tx)`
    SELECT token.id, token.session_id AS "sessionId", session.user_id AS "userId", person.email, person.role,
           token.rotated_at AS "rotatedAt", session.created_at AS "openedAt",
           ${isEnterprise} AS "isEnterprise", ${isIdle} AS "isIdle",
           (token.expires_at > now() AND session.ended_at IS NULL AND NOT ${isTooOld}
            AND person.status NOT IN ('SUSPENDED', 'DELETED')) AS "isValid"
    FROM refresh_tokens AS token
    JOIN sessions AS session ON session.id = token.session_id
    JOIN users AS person ON person.id = session.user_id
    WHERE token.token_hash = ${tokenHash}
    FOR UPDATE OF token, session`;
  return rows[0] ?? null;
}

export async function isRefreshTokenRotated(tx: Tx, tokenHash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const row = await tx.refreshToken.findUnique({ where: { tokenHash }, select: { rotatedAt: true } });
  return row === null || row.rotatedAt !== null;
}

export async function rotateRefreshToken(tx: Tx, token: LockedRefreshToken, expiresAt: Date): Promise<void> {
  const now = new Date();
  await tx.refreshToken.update({ where: { id: token.id }, data: { rotatedAt: now }, select: { id: true } });
  await tx.session.update({
    where: { id: token.sessionId },
    data: { lastUsedAt: now, expiresAt },
    select: { id: true },
  });
}

export async function listActiveUserSessions(db: Db, userId: string, { skip, take, after }: ListRange) {
  const where = { userId, endedAt: null, expiresAt: { gt: new Date() } };
  const [rows, total] = await Promise.all([
    db.session.findMany({
      where: { ...where, ...createAfterFilter('createdAt', after) },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip,
      take,
    }),
    db.session.count({ where }),
  ]);
  return { rows, total };
}

export async function updateSessionCookie(
  tx: Tx,
  id: string,
  cookieHash: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await tx.session.update({ where: { id }, data: { cookieHash }, select: { id: true } });
}

/** False when the session is unknown or closed. */
export async function endSession(
  tx: Tx,
  userId: string,
  id: string,
  endReason: SessionEndReason,
): Promise<boolean> {
  const { count } = await tx.session.updateMany({
    where: { id, userId, endedAt: null },
    data: { endedAt: new Date(), endReason },
  });
  notifyAfterCommit(tx, getUserAccessTopic(userId));
  return count === 1;
}

export async function lockOpenSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  const rows = await querySql<unknown>(tx)`
    SELECT 1 FROM sessions
    WHERE id = ${id} AND user_id = ${userId} AND ended_at IS NULL AND expires_at > now() FOR SHARE`;
  return rows.length > 0;
}

/** Use `revokeUserAccess`; expects a locked user. */
export async function markUserSessionsEnded(
  tx: Tx,
  userId: string,
  endReason: SessionEndReason,
  except?: string,
): Promise<number> {
  const { count } = await tx.session.updateMany({
    where: { userId, endedAt: null, ...(except ? { id: { not: except } } : {}) },
    data: { endedAt: new Date(), endReason },
  });
  notifyAfterCommit(tx, getUserAccessTopic(userId));
  return count;
}

export async function findSessionNetworkMatch(
  tx: Tx,
  userId: string,
  address: string,
): Promise<{ any: boolean; same: boolean }> {
  const network = truncateIpAddress(address);
  const rows = await querySql<{ any: boolean; same: boolean }>(tx)`
    SELECT EXISTS (SELECT FROM sessions WHERE user_id = ${userId}) AS any,
           EXISTS (SELECT FROM sessions WHERE user_id = ${userId} AND network = ${network}) AS same`;
  const { any, same } = rows[0] ?? { any: false, same: false };
  return { any, same: same && network !== UNKNOWN_ADDRESS };
}

/** Recent sessions replace the password for reauthentication. */
export async function isRecentSession(db: Db, id: string): Promise<boolean> {
  const since = new Date(Date.now() - LIFETIMES_SECONDS.freshSession * 1000);
  return (await db.session.count({ where: { id, createdAt: { gt: since } } })) > 0;
}

export async function deleteExpiredRefreshTokens(db: Db, before: Date): Promise<number> {
  const { count } = await db.refreshToken.deleteMany({ where: { expiresAt: { lt: before } } });
  return count;
}

export async function deleteEndedSessions(db: Db, before: Date): Promise<number> {
  const { count } = await db.session.deleteMany({
    where: { OR: [{ endedAt: { lt: before } }, { expiresAt: { lt: before } }] },
  });
  return count;
}
