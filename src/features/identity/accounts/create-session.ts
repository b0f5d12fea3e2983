import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { truncateIpAddress } from '../../../shared/client-address.ts';
import type { AccountServices } from './account-services.ts';
import { generateRefreshToken, hashRefreshToken } from './refresh-token.ts';
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
  const refreshToken = generateRefreshToken();
  const sessionId = await insertSessionWithRefreshToken(tx, {
    userId: user.id,
    ip: context.address,
    userAgent: context.userAgent,
    network: truncateIpAddress(context.address),
    tokenHash: hashRefreshToken(fieldCipher, refreshToken),
    expiresAt: getRefreshTokenExpiry(isEnterprise, new Date()),
  });
  return { sessionId, refreshToken, accessTokenSeconds: getAccessTokenLifetimeSeconds(isEnterprise) };
}
