import { type Db, notifyAfterCommit, type Tx } from '../../../platform/database.ts';
import { getAccessTopic } from '../../../platform/realtime/realtime-messages.ts';
import { buildSessionExpiryConditions } from '../../../platform/session-expiry.repository.ts';
import { generateId } from '../../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

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

/** A refresh token with the session and person it belongs to, locked for this transaction. */
export interface LockedRefreshToken {
  id: string;
  sessionId: string;
  userId: string;
  email: string;
  role: string;
  /** Whether token, session and person are all in order. */
  alive: boolean;
  /** Nothing was asked with the session for longer than enterprise mode allows. */
  isIdle: boolean;
  isEnterprise: boolean;
  /** When its session was opened. */
  openedAt: Date;
  rotatedAt: Date | null;
}

/** Opens a session with its first refresh token. Answers the session's id. */
export async function insertSession(
  tx: Tx,
  session: {
    userId: string;
    ip: string;
    userAgent: string;
    network: string;
    tokenHash: Uint8Array<ArrayBuffer>;
    expiresAt: Date;
  },
): Promise<string> {
  const { tokenHash, ...row } = session;
  const id = generateId();
  await tx.session.create({ data: { id, ...row }, select: { id: true } });
  await insertRefreshToken(tx, { sessionId: id, tokenHash, expiresAt: session.expiresAt });
  return id;
}

/** Adds a refresh token to a session. */
export async function insertRefreshToken(
  tx: Tx,
  token: { sessionId: string; tokenHash: Uint8Array<ArrayBuffer>; expiresAt: Date },
): Promise<void> {
  await tx.refreshToken.create({ data: { id: generateId(), ...token }, select: { id: true } });
}

/**
 * The refresh token of a hash, locked with its session so that parallel uses come one after another and each
 * sees what the one before did to both.
 */
export async function lockRefreshToken(
  tx: Tx,
  tokenHash: Uint8Array,
  enterpriseForAll: boolean,
): Promise<LockedRefreshToken | null> {
  const { isEnterprise, isTooOld, isIdle } = buildSessionExpiryConditions(enterpriseForAll);
  const rows = await tx.$queryRaw<LockedRefreshToken[]>`
    SELECT token.id, token.session_id AS "sessionId", session.user_id AS "userId", person.email, person.role,
           token.rotated_at AS "rotatedAt", session.created_at AS "openedAt",
           ${isEnterprise} AS "isEnterprise", ${isIdle} AS "isIdle",
           (token.expires_at > now() AND session.ended_at IS NULL AND NOT ${isTooOld}
            AND person.status NOT IN ('SUSPENDED', 'DELETED')) AS alive
    FROM refresh_tokens AS token
    JOIN sessions AS session ON session.id = token.session_id
    JOIN users AS person ON person.id = session.user_id
    WHERE token.token_hash = ${tokenHash}
    FOR UPDATE OF token, session`;
  return rows[0] ?? null;
}

/** Whether the token of a hash has been replaced in its turn. */
export async function isRefreshTokenRotated(tx: Tx, tokenHash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const row = await tx.refreshToken.findUnique({ where: { tokenHash }, select: { rotatedAt: true } });
  return row === null || row.rotatedAt !== null;
}

/** Marks a token as replaced and keeps its session open until `expiresAt`. */
export async function rotateRefreshToken(tx: Tx, token: LockedRefreshToken, expiresAt: Date): Promise<void> {
  const now = new Date();
  await tx.refreshToken.update({ where: { id: token.id }, data: { rotatedAt: now }, select: { id: true } });
  await tx.session.update({
    where: { id: token.sessionId },
    data: { lastUsedAt: now, expiresAt },
    select: { id: true },
  });
}

/** The open sessions of a person, newest first, a page of them, and how many there are. */
export async function listSessions(db: Db, userId: string, page: { skip: number; take: number }) {
  const where = { userId, endedAt: null, expiresAt: { gt: new Date() } };
  const [rows, total] = await Promise.all([
    db.session.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], ...page }),
    db.session.count({ where }),
  ]);
  return { rows, total };
}

/** Ends one open session of a person; false when it is not theirs or not open. */
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
  notifyAfterCommit(tx, getAccessTopic(userId));
  return count === 1;
}

/** Keeps a session of a person from being ended until this transaction ends; false when it is not open. */
export async function lockOpenSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM sessions
    WHERE id = ${id} AND user_id = ${userId} AND ended_at IS NULL AND expires_at > now() FOR SHARE`;
  return rows.length > 0;
}

/** Ends all open sessions of a person who is locked, but for one where given; part of `revokeAccess`. Answers how many. */
export async function endSessions(
  tx: Tx,
  userId: string,
  endReason: SessionEndReason,
  except?: string,
): Promise<number> {
  const { count } = await tx.session.updateMany({
    where: { userId, endedAt: null, ...(except ? { id: { not: except } } : {}) },
    data: { endedAt: new Date(), endReason },
  });
  notifyAfterCommit(tx, getAccessTopic(userId));
  return count;
}

/** Whether a person has sessions, ended ones that are kept among them, and whether one is of this network. */
export async function findSessionNetworks(
  tx: Tx,
  userId: string,
  network: string,
): Promise<{ any: boolean; same: boolean }> {
  const rows = await tx.$queryRaw<{ any: boolean; same: boolean }[]>`
    SELECT EXISTS (SELECT FROM sessions WHERE user_id = ${userId}) AS any,
           EXISTS (SELECT FROM sessions WHERE user_id = ${userId} AND network = ${network}) AS same`;
  return rows[0] ?? { any: false, same: false };
}

/** Whether a session was opened a moment ago, so that it may stand for a password that somebody does not have. */
export async function isRecentSession(db: Db, id: string): Promise<boolean> {
  const since = new Date(Date.now() - LIFETIMES_SECONDS.freshSession * 1000);
  return (await db.session.count({ where: { id, createdAt: { gt: since } } })) > 0;
}

/** Forgets refresh tokens that expired before this moment: they open nothing, and a session has up to a hundred a day. */
export async function deleteExpiredRefreshTokens(db: Db, before: Date): Promise<number> {
  const { count } = await db.refreshToken.deleteMany({ where: { expiresAt: { lt: before } } });
  return count;
}

/** Forgets sessions that ended or expired before this moment, with their tokens. */
export async function deleteEndedSessions(db: Db, before: Date): Promise<number> {
  const { count } = await db.session.deleteMany({
    where: { OR: [{ endedAt: { lt: before } }, { expiresAt: { lt: before } }] },
  });
  return count;
}
