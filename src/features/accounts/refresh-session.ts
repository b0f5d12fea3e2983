import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { AccountServices } from './account-services.ts';
import type { OpenedSession } from './open-session.ts';
import { ROTATION_GRACE, refreshTokenHash, successorOf } from './refresh-token.ts';
import {
  endSession,
  insertRefreshToken,
  isRotated,
  type LockedToken,
  lockRefreshToken,
  rotateRefreshToken,
} from './session.repository.ts';
import { accessTokenSeconds, refreshTokenEnd } from './session-lifetimes.rules.ts';

export interface RefreshedSession extends OpenedSession {
  user: { id: string; role: string };
}

/**
 * Replaces a refresh token by its successor. Parallel uses, and repeats within 30 s while the successor is
 * unused, get the same successor; a later reuse ends the whole session. Throws REFRESH_TOKEN_INVALID.
 */
export async function refreshSession(
  services: AccountServices,
  caller: Caller,
  refreshToken: string,
): Promise<RefreshedSession> {
  const { database, vault, enterpriseForAll } = services;
  const refreshed = await database.transaction(async (tx) => {
    const token = await lockRefreshToken(tx, refreshTokenHash(vault, refreshToken), enterpriseForAll);
    if (!token?.alive) return null;
    if (token.isIdle) {
      await endIdle(caller, tx, token);
      return null;
    }
    const successor = successorOf(vault, refreshToken);
    const successorHash = refreshTokenHash(vault, successor);
    if (token.rotatedAt === null) {
      const expiresAt = refreshTokenEnd(token.isEnterprise, token.openedAt);
      await rotateRefreshToken(tx, token, expiresAt);
      await insertRefreshToken(tx, { sessionId: token.sessionId, tokenHash: successorHash, expiresAt });
      await recordAction(tx, caller, { resourceId: token.sessionId, actorId: token.userId });
    } else if (!withinGrace(token.rotatedAt) || (await isRotated(tx, successorHash))) {
      await endFamily(services, caller, tx, token);
      return null;
    }
    return {
      user: { id: token.userId, role: token.role },
      sessionId: token.sessionId,
      refreshToken: successor,
      accessTokenSeconds: accessTokenSeconds(token.isEnterprise),
    };
  });
  if (refreshed) return refreshed;
  services.postOffice.wake();
  throw new ServiceError('REFRESH_TOKEN_INVALID');
}

async function endIdle(caller: Caller, tx: Tx, token: LockedToken) {
  await endSession(tx, token.userId, token.sessionId, 'IDLE');
  await recordAction(tx, caller, { action: 'SESSION_IDLE_ENDED', resourceId: token.sessionId });
}

async function endFamily(services: AccountServices, caller: Caller, tx: Tx, token: LockedToken) {
  await endSession(tx, token.userId, token.sessionId, 'REFRESH_REUSE');
  await services.postOffice.post(tx, { template: 'SESSION_ENDED_BY_REUSE', to: token.email, values: {} });
  await recordAction(tx, caller, {
    action: 'REFRESH_TOKEN_REUSED',
    outcome: 'DENIED',
    resourceId: token.sessionId,
    actorId: token.userId,
  });
}

function withinGrace(rotatedAt: Date): boolean {
  return Date.now() - rotatedAt.getTime() <= ROTATION_GRACE;
}
