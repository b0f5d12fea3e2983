import jwt from '@fastify/jwt';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../shared/errors.ts';
import { isId } from '../shared/ids.ts';
import type { Database } from './database.ts';
import { findOpenSession } from './session.repository.ts';

/** Life of an access token, in seconds. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

const ISSUER = 'qr-profile-service';
const AUDIENCE = 'qr-profile-service/api';

/** The person behind a request, as their session row says at this moment. */
export interface CurrentUser {
  id: string;
  email: string;
  role: string;
  status: string;
  timeZone: string;
  sessionId: string;
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: { sub: string; role: string; sid: string };
    user: CurrentUser | null;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Reads the credential, if there is a valid one, into `request.user`; a bad one counts as none. */
    readCredential(): Promise<void>;
  }
  interface FastifyInstance {
    /** Signs an access token that names user, role and session. */
    signAccessToken(user: { id: string; role: string }, sessionId: string): string;
    /** The session that a genuine access token names, though it may have ended; null for any other header. */
    signedSessionId(authorization: string | undefined): string | null;
  }
}

interface Options {
  database: Database;
  jwtSecret: string;
}

async function authenticationPlugin(app: FastifyInstance, options: Options) {
  await app.register(jwt, {
    secret: options.jwtSecret,
    sign: { algorithm: 'HS256', iss: ISSUER, aud: AUDIENCE, expiresIn: `${ACCESS_TOKEN_SECONDS}s` },
    verify: {
      algorithms: ['HS256'],
      allowedIss: ISSUER,
      allowedAud: AUDIENCE,
      // What is allowed is only looked at where it is given.
      requiredClaims: ['iss', 'aud', 'exp', 'sid'],
      cache: false,
    },
  });
  app.decorate('signAccessToken', (user: { id: string; role: string }, sessionId: string) =>
    app.jwt.sign({ sub: user.id, role: user.role, sid: sessionId }),
  );
  app.decorate('signedSessionId', (authorization: string | undefined) => {
    const token = bearerToken(authorization);
    return token ? verifiedSessionId(app, token) : null;
  });
  app.decorateRequest('readCredential', async function (this: FastifyRequest) {
    this.user = await currentUser(app, options.database, this.headers.authorization);
  });
}

export const authentication = fp(authenticationPlugin, { name: 'authentication' });

/** The account behind a request of a route for accounts. Throws 401 where there is none. */
export function userOf(request: FastifyRequest): CurrentUser {
  if (!request.user) throw new ServiceError('UNAUTHENTICATED');
  return request.user;
}

async function currentUser(
  app: FastifyInstance,
  database: Database,
  header: string | undefined,
): Promise<CurrentUser | null> {
  const sessionId = app.signedSessionId(header);
  if (!sessionId) return null;
  // The role in the token is for clients; what counts is the row.
  const session = await findOpenSession(database.client, sessionId);
  if (!session) return null;
  return {
    id: session.userId,
    email: session.email,
    role: session.role,
    status: session.status,
    timeZone: session.timeZone,
    sessionId,
  };
}

function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header ?? '')?.[1];
}

function verifiedSessionId(app: FastifyInstance, token: string): string | null {
  try {
    const payload = app.jwt.verify<{ sid: unknown }>(token);
    return isId(payload.sid) ? payload.sid : null;
  } catch {
    return null;
  }
}
