import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { truncateIpAddress } from '../shared/client-address.ts';
import { ServiceError } from '../shared/errors.ts';
import { registerAccessTokenSigning } from './access-token.ts';
import { insertAuditEntry } from './audit.repository.ts';
import {
  endIdleSession,
  findOpenSession,
  type OpenSession,
  touchSession,
} from './authentication.repository.ts';
import type { CurrentUser } from './current-user.ts';
import type { Database } from './database.ts';
import { getRequestContext, type RequestContext } from './request-context.ts';
import { createPreparedSqlReader } from './sql-readers.ts';

export type { CurrentUser } from './current-user.ts';

declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: CurrentUser | null;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    readCredential(): Promise<void>;
  }
}

interface AuthenticationOptions {
  database: Database;
  jwtSecret: string;
  isEnterpriseEnforced: boolean;
}

async function registerAuthentication(app: FastifyInstance, options: AuthenticationOptions) {
  await registerAccessTokenSigning(app, options.jwtSecret);
  app.decorateRequest('readCredential', async function (this: FastifyRequest) {
    const sessionId = app.readSessionId(this.headers.authorization);
    this.user = sessionId ? await findCurrentUser(options, getRequestContext(this), sessionId) : null;
  });
}

export const bearerAuthenticationPlugin = fp(registerAuthentication, { name: 'authentication' });

export function requireAuthenticatedUser(request: FastifyRequest): CurrentUser {
  if (!request.user) throw new ServiceError('UNAUTHENTICATED');
  return request.user;
}

async function findCurrentUser(
  { database, isEnterpriseEnforced }: AuthenticationOptions,
  context: RequestContext,
  sessionId: string,
): Promise<CurrentUser | null> {
  // The role of the token is for clients; the row decides.
  const session = await findOpenSession(createPreparedSqlReader(database), sessionId, isEnterpriseEnforced);
  if (!session) return null;
  if (session.isIdle) {
    await expireIdleSession(database, context, sessionId);
    return null;
  }
  if (session.isStale) await touchSession(database.client, sessionId);
  return toCurrentUser(session);
}

export function toCurrentUser(session: OpenSession): CurrentUser {
  const {
    sessionId,
    userId: id,
    email,
    role,
    status,
    timeZone,
    language,
    isEnterprise,
    mustEnroll,
  } = session;
  return { id, email, role, status, timeZone, language, sessionId, isEnterprise, mustEnroll };
}

/** End an idle session. The service is the actor; of the user only the address is known. */
async function expireIdleSession(
  database: Database,
  context: RequestContext,
  sessionId: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await endIdleSession(tx, sessionId))) return;
    await insertAuditEntry(tx, {
      action: 'SESSION_IDLE_ENDED',
      outcome: 'SUCCESS',
      resourceId: sessionId,
      operation: context.operation,
      requestId: context.requestId,
      origin: { ip: truncateIpAddress(context.address), userAgent: context.userAgent },
    });
  });
}
