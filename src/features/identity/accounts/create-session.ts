import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import {
  createSessionCookieValue,
  generateSessionCookieSecret,
  hashSessionCookieSecret,
} from '../../../platform/session-cookie.ts';
import { truncateIpAddress } from '../../../shared/client-address.ts';
import type { AccountServices } from './account-services.ts';
import { formatRefreshToken, generateRefreshTokenSecret, hashRefreshTokenSecret } from './refresh-token.ts';
import { insertSession } from './session.repository.ts';
import { getAccessTokenLifetimeSeconds, getRefreshTokenExpiry } from './session-lifetimes.rules.ts';

export interface CreatedSession {
  sessionId: string;
  /** The refresh token; of a session that began in a page, the value of its cookie. */
  credential: string;
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
  const accessTokenSeconds = getAccessTokenLifetimeSeconds(isEnterprise);
  const row = {
    userId: user.id,
    ip: context.address,
    userAgent: context.userAgent,
    network: truncateIpAddress(context.address),
    expiresAt: getRefreshTokenExpiry(isEnterprise, new Date()),
  };
  if (context.takesSessionCookie) {
    const secret = generateSessionCookieSecret();
    const cookieHash = hashSessionCookieSecret(fieldCipher, secret);
    const sessionId = await insertSession(tx, { ...row, cookieHash });
    const credential = createSessionCookieValue(fieldCipher, { secret, sessionId, userId: user.id });
    return { sessionId, credential, accessTokenSeconds };
  }
  const secret = generateRefreshTokenSecret();
  const sessionId = await insertSession(tx, {
    ...row,
    tokenHash: hashRefreshTokenSecret(fieldCipher, secret),
  });
  return { sessionId, credential: formatRefreshToken(fieldCipher, sessionId, secret), accessTokenSeconds };
}
