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
    /** Signs an access token that names user, role and session, and ends after so many seconds. */
    signAccessToken(user: { id: string; role: string }, sessionId: string, seconds: number): string;
    /** The session that a genuine access token names, though it may have ended; null for any other header. */
    readSessionId(authorization: string | undefined): string | null;
    /** The session that a genuine access token names, and when the token ends (Unix milliseconds); null for any other text. */
    verifyAccessToken(token: string): AccessToken | null;
  }
}

/** What an access token says. */
export interface AccessToken {
  sessionId: string;
  /** Unix milliseconds. */
  expiresAt: number;
}

/** Signs access tokens (JWT, RFC 7519, HS256) and reads the session from an Authorization header (RFC 6750). */
export async function decorateAccessTokens(app: FastifyInstance, secret: string): Promise<void> {
  await app.register(jwt, {
    secret,
    sign: { algorithm: 'HS256', iss: ISSUER, aud: AUDIENCE, expiresIn: `${LIFETIMES_SECONDS.accessToken}s` },
    verify: {
      algorithms: ['HS256'],
      allowedIss: ISSUER,
      allowedAud: AUDIENCE,
      // What is allowed is only looked at where it is given.
      requiredClaims: ['iss', 'aud', 'exp', 'sid'],
      cache: false,
    },
  });
  app.decorate('signAccessToken', (user: { id: string; role: string }, sessionId: string, seconds: number) =>
    app.jwt.sign({ sub: user.id, role: user.role, sid: sessionId }, { expiresIn: `${seconds}s` }),
  );
  app.decorate('readSessionId', (authorization: string | undefined) => {
    const token = parseBearerToken(authorization);
    return token ? (verifyToken(app, token)?.sessionId ?? null) : null;
  });
  app.decorate('verifyAccessToken', (token: string) => verifyToken(app, token));
}

function parseBearerToken(header: string | undefined): string | undefined {
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header ?? '')?.[1];
}

function verifyToken(app: FastifyInstance, token: string): AccessToken | null {
  try {
    const { sid, exp } = app.jwt.verify<{ sid: unknown; exp: unknown }>(token);
    return isId(sid) && typeof exp === 'number' ? { sessionId: sid, expiresAt: exp * 1000 } : null;
  } catch {
    return null;
  }
}
