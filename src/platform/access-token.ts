import jwt from '@fastify/jwt';
import type { FastifyInstance } from 'fastify';
import { isId } from '../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../shared/lifetimes.ts';

const ISSUER = 'qr-profile-service';
const AUDIENCE = 'qr-profile-service/api';

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: { sub: string; role: string; sid: string };
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    signAccessToken(user: { id: string; role: string }, sessionId: string, seconds: number): string;
    /** Verify an access token: null unless it is genuine and not expired. Its session may have ended. */
    verifyAccessToken(token: string): AccessTokenClaims | null;
  }
}

export interface AccessTokenClaims {
  userId: string;
  sessionId: string;
  expiresAt: number;
}

/** Register signing and verification of access tokens (JWT, RFC 7519, HS256; RFC 6750). */
export async function registerAccessTokenSigning(app: FastifyInstance, secret: string): Promise<void> {
  await app.register(jwt, {
    secret,
    sign: { algorithm: 'HS256', iss: ISSUER, aud: AUDIENCE, expiresIn: `${LIFETIMES_SECONDS.accessToken}s` },
    verify: {
      algorithms: ['HS256'],
      allowedIss: ISSUER,
      allowedAud: AUDIENCE,
      // Claims are checked only where they are required.
      requiredClaims: ['iss', 'aud', 'exp', 'sid'],
      cache: false,
    },
  });
  app.decorate('signAccessToken', (user: { id: string; role: string }, sessionId: string, seconds: number) =>
    app.jwt.sign({ sub: user.id, role: user.role, sid: sessionId }, { expiresIn: `${seconds}s` }),
  );
  app.decorate('verifyAccessToken', (token: string) => verifyToken(app, token));
}

function verifyToken(app: FastifyInstance, token: string): AccessTokenClaims | null {
  try {
    const { sub, sid, exp } = app.jwt.verify<{ sub: unknown; sid: unknown; exp: unknown }>(token);
    if (!isId(sub) || !isId(sid) || typeof exp !== 'number') return null;
    return { userId: sub, sessionId: sid, expiresAt: exp * 1000 };
  } catch {
    return null;
  }
}
