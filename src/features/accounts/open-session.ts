import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../platform/database.ts';
import { cutUserAgent, plainAddress } from '../../shared/client-address.ts';
import type { AccountServices } from './account-services.ts';
import { firstRefreshToken, REFRESH_TOKEN_LIFE, refreshTokenHash } from './refresh-token.ts';
import { insertSession } from './session.repository.ts';

export interface OpenedSession {
  sessionId: string;
  refreshToken: string;
}

/** Opens a session for a person who has shown who they are. Records address and agent whole. */
export async function openSession(
  { vault }: AccountServices,
  request: FastifyRequest,
  tx: Tx,
  user: { id: string },
): Promise<OpenedSession> {
  const refreshToken = firstRefreshToken();
  const sessionId = await insertSession(tx, {
    userId: user.id,
    ip: plainAddress(request.ip),
    userAgent: cutUserAgent(request.headers['user-agent']),
    tokenHash: refreshTokenHash(vault, refreshToken),
    expiresAt: new Date(Date.now() + REFRESH_TOKEN_LIFE),
  });
  return { sessionId, refreshToken };
}
