import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { truncateAddress } from '../../shared/client-address.ts';
import type { AccountServices } from './account-services.ts';
import { firstRefreshToken, refreshTokenHash } from './refresh-token.ts';
import { insertSession } from './session.repository.ts';
import { accessTokenSeconds, refreshTokenEnd } from './session-lifetimes.rules.ts';

export interface OpenedSession {
  sessionId: string;
  refreshToken: string;
  /** How long its access tokens last. */
  accessTokenSeconds: number;
}

/** Opens a session for a person who has shown who they are. Records address and agent whole. */
export async function openSession(
  { vault, enterpriseForAll }: AccountServices,
  caller: Caller,
  tx: Tx,
  user: { id: string; enterpriseMode: boolean },
): Promise<OpenedSession> {
  const isEnterprise = enterpriseForAll || user.enterpriseMode;
  const refreshToken = firstRefreshToken();
  const sessionId = await insertSession(tx, {
    userId: user.id,
    ip: caller.address,
    userAgent: caller.userAgent,
    network: truncateAddress(caller.address),
    tokenHash: refreshTokenHash(vault, refreshToken),
    expiresAt: refreshTokenEnd(isEnterprise, new Date()),
  });
  return { sessionId, refreshToken, accessTokenSeconds: accessTokenSeconds(isEnterprise) };
}
