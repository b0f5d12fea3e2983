import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { AccountServices } from './account-services.ts';
import type { CreatedSession } from './create-session.ts';
import {
  deriveNextRefreshTokenSecret,
  formatRefreshToken,
  hashRefreshTokenSecret,
  parseRefreshToken,
  REFRESH_TOKEN_ROTATION_GRACE_MS,
} from './refresh-token.ts';
import {
  endSession,
  insertRefreshToken,
  isRefreshTokenRotated,
  type LockedRefreshToken,
  lockRefreshToken,
  rotateRefreshToken,
} from './session.repository.ts';
import { getAccessTokenLifetimeSeconds, getRefreshTokenExpiry } from './session-lifetimes.rules.ts';

export interface RefreshedSession extends CreatedSession {
  user: { id: string; role: string };
}

/**
 * Parallel calls, and repeats within 30 s while the successor is unused, return the same successor. A later
 * reuse ends the session. @throws REFRESH_TOKEN_INVALID
 */
export async function refreshSession(
  services: AccountServices,
  context: RequestContext,
  refreshToken: string,
): Promise<RefreshedSession> {
  const { database, fieldCipher, isEnterpriseEnforced } = services;
  const { secret } = parseRefreshToken(fieldCipher, refreshToken);
  const refreshed = await database.transaction(async (tx) => {
    const token = await lockRefreshToken(
      tx,
      hashRefreshTokenSecret(fieldCipher, secret),
      isEnterpriseEnforced,
    );
    if (!token?.isValid) return null;
    if (token.isIdle) {
      await endIdleSession(context, tx, token);
      return null;
    }
    const successor = deriveNextRefreshTokenSecret(fieldCipher, secret);
    const successorHash = hashRefreshTokenSecret(fieldCipher, successor);
    if (token.rotatedAt === null) {
      const expiresAt = getRefreshTokenExpiry(token.isEnterprise, token.openedAt);
      await rotateRefreshToken(tx, token, expiresAt);
      await insertRefreshToken(tx, { sessionId: token.sessionId, tokenHash: successorHash, expiresAt });
      await recordAuditEntry(tx, context, { resourceId: token.sessionId, actorId: token.userId });
    } else if (!isWithinRotationGrace(token.rotatedAt) || (await isRefreshTokenRotated(tx, successorHash))) {
      await endReusedSession(services, context, tx, token);
      return null;
    }
    return {
      user: { id: token.userId, role: token.role },
      sessionId: token.sessionId,
      credential: formatRefreshToken(fieldCipher, token.sessionId, successor),
      accessTokenSeconds: getAccessTokenLifetimeSeconds(token.isEnterprise),
    };
  });
  if (refreshed) return refreshed;
  services.mailOutbox.wake();
  throw new ServiceError('REFRESH_TOKEN_INVALID');
}

async function endIdleSession(context: RequestContext, tx: Tx, token: LockedRefreshToken) {
  await endSession(tx, token.userId, token.sessionId, 'IDLE');
  await recordAuditEntry(tx, context, { action: 'SESSION_IDLE_ENDED', resourceId: token.sessionId });
}

async function endReusedSession(
  services: AccountServices,
  context: RequestContext,
  tx: Tx,
  token: LockedRefreshToken,
) {
  await endSession(tx, token.userId, token.sessionId, 'REFRESH_REUSE');
  await services.mailOutbox.enqueue(tx, { template: 'SESSION_ENDED_BY_REUSE', to: token.email, values: {} });
  await recordAuditEntry(tx, context, {
    action: 'REFRESH_TOKEN_REUSED',
    outcome: 'DENIED',
    resourceId: token.sessionId,
    actorId: token.userId,
  });
}

function isWithinRotationGrace(rotatedAt: Date): boolean {
  return Date.now() - rotatedAt.getTime() <= REFRESH_TOKEN_ROTATION_GRACE_MS;
}
