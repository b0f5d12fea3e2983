import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';
import type { AccountServices } from './account-services.ts';
import { firstRefreshToken, refreshTokenHash } from './refresh-token.ts';
import { insertSession } from './session.repository.ts';

export interface OpenedSession {
  sessionId: string;
  refreshToken: string;
}

/** Opens a session for a person who has shown who they are. Records address and agent whole. */
export async function openSession(
  { vault }: AccountServices,
  caller: Caller,
  tx: Tx,
  user: { id: string },
): Promise<OpenedSession> {
  const refreshToken = firstRefreshToken();
  const sessionId = await insertSession(tx, {
    userId: user.id,
    ip: caller.address,
    userAgent: caller.userAgent,
    tokenHash: refreshTokenHash(vault, refreshToken),
    expiresAt: new Date(Date.now() + LIFETIMES.refreshToken * 1000),
  });
  return { sessionId, refreshToken };
}
