import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../shared/errors.ts';
import { decorateAccessTokens } from './access-token.ts';
import { findOpenSession } from './authentication.repository.ts';
import type { Database } from './database.ts';

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
    user: CurrentUser | null;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Reads the credential, if there is a valid one, into `request.user`; a bad one counts as none. */
    readCredential(): Promise<void>;
  }
}

interface Options {
  database: Database;
  jwtSecret: string;
}

async function authenticationPlugin(app: FastifyInstance, options: Options) {
  await decorateAccessTokens(app, options.jwtSecret);
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
