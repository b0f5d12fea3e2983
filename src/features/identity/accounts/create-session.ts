import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { truncateIpAddress } from '../../../shared/client-address.ts';
import type { AccountServices } from './account-services.ts';
import { formatRefreshToken, generateRefreshTokenSecret, hashRefreshTokenSecret } from './refresh-token.ts';
import { insertSessionWithRefreshToken } from './session.repository.ts';
import { getAccessTokenLifetimeSeconds, getRefreshTokenExpiry } from './session-lifetimes.rules.ts';

export interface CreatedSession {
  sessionId: string;
  refreshToken: string;
  accessTokenSeconds: number;
}

/** Stores the full address and user agent. */
export async function createSession(
  { fieldCipher, isEnterpriseEnforced }: AccountServices,
  context: RequestContext,
  tx: Tx,
  user: { id: string; enterpriseMode: boolean },
): Promise<CreatedSession> {
  const isEnterprise = isEnterpriseEnforced || user.enterpriseMode;
  const secret = generateRefreshTokenSecret();
  const sessionId = await insertSessionWithRefreshToken(tx, {
    userId: user.id,
    ip: context.address,
    userAgent: context.userAgent,
    network: truncateIpAddress(context.address),
    tokenHash: hashRefreshTokenSecret(fieldCipher, secret),
    expiresAt: getRefreshTokenExpiry(isEnterprise, new Date()),
  });
  const refreshToken = formatRefreshToken(fieldCipher, sessionId, secret);
  return { sessionId, refreshToken, accessTokenSeconds: getAccessTokenLifetimeSeconds(isEnterprise) };
}
