import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { normalizeIpAddress, truncateIpAddress } from '../shared/client-address.ts';
import { ServiceError } from '../shared/errors.ts';
import { registerAccessTokenSigning } from './access-token.ts';
import {
  type ActingAccount,
  getActingAccount,
  getSearchedAccountId,
  isNamedAccount,
} from './acting-account.ts';
import { findActiveApiKey, touchApiKey } from './api-key.repository.ts';
import { insertAuditEntry } from './audit.repository.ts';
import {
  endIdleSession,
  findOpenSession,
  findOpenSessionByCookie,
  type OpenSession,
  touchSession,
} from './authentication.repository.ts';
import type { CurrentUser } from './current-user.ts';
import type { Database } from './database.ts';
import type { FieldCipher } from './field-cipher.ts';
import type { RequestPrincipal } from './http/rate-limits.ts';
import { getRequestContext, type RequestContext } from './request-context.ts';
import { type RequestCredential, registerCredentialParser } from './request-credential.ts';
import { createPrincipalRegistry } from './request-principal.ts';

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
  interface FastifyInstance {
    /** Identify whom a credential belongs to by what this process knows; null for unknown and invalid ones. */
    identifyPrincipal(request: FastifyRequest): RequestPrincipal | null;
  }
}

interface AuthenticationOptions {
  database: Database;
  fieldCipher: FieldCipher;
  jwtSecret: string;
  /** Whether the service has an https address. */
  secure: boolean;
  isEnterpriseEnforced: boolean;
  /** Roles above USER can only enroll until they have a second factor. */
  staffMustEnroll: boolean;
}

async function registerAuthentication(app: FastifyInstance, options: AuthenticationOptions) {
  await registerAccessTokenSigning(app, options.jwtSecret);
  registerCredentialParser(app, options.fieldCipher, options.secure);
  const principals = createPrincipalRegistry();
  app.decorate('identifyPrincipal', (request: FastifyRequest) => principals.identify(request));
  app.decorateRequest('readCredential', async function (this: FastifyRequest) {
    this.user = null;
    const credential = this.parseCredential();
    if (credential === null) return;
    this.user =
      credential.type === 'api-key'
        ? await findApiKeyUser(options, this, credential.tokenHash)
        : await findSessionUser(options, this, credential);
    principals.remember(credential, this.clientAddress, toPrincipal(this.user));
  });
}

/** A key that is used from a wrong network must not use up its limit. */
function toPrincipal(user: CurrentUser | null): RequestPrincipal | null {
  if (!user || user.apiKey?.isNetworkAllowed === false) return null;
  return user.apiKey
    ? { type: 'api-key', id: user.apiKey.id, accountId: user.id }
    : { type: 'account', id: user.id };
}

export const bearerAuthenticationPlugin = fp(registerAuthentication, { name: 'authentication' });

/** Return who sent a request. @throws UNAUTHENTICATED */
export function requireAuthenticatedUser(request: FastifyRequest): CurrentUser {
  if (!request.user) throw new ServiceError('UNAUTHENTICATED');
  return request.user;
}

/** Return the account that a request acts for: the owner of what it reads and creates. @throws UNAUTHENTICATED, ACCOUNT_NOT_FOUND */
export function requireAccount(request: FastifyRequest): ActingAccount {
  return getActingAccount(requireAuthenticatedUser(request));
}

async function findSessionUser(
  { database, isEnterpriseEnforced, staffMustEnroll }: AuthenticationOptions,
  request: FastifyRequest,
  credential: Exclude<RequestCredential, { type: 'api-key' }>,
): Promise<CurrentUser | null> {
  const { sessionId } = credential;
  const options = { staffMustEnroll, accountId: getSearchedAccountId(request) };
  // The role of the token is for clients; the row decides.
  const session =
    credential.type === 'cookie'
      ? await findOpenSessionByCookie(database.pool, credential, isEnterpriseEnforced, options)
      : await findOpenSession(database.pool, sessionId, isEnterpriseEnforced, options);
  if (!session) return null;
  if (session.isIdle) {
    await expireIdleSession(database, getRequestContext(request), sessionId);
    return null;
  }
  if (session.isStale) await touchSession(database.client, session);
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
    account,
  } = session;
  return {
    id,
    email,
    role,
    status,
    timeZone,
    language,
    sessionId,
    apiKey: null,
    isEnterprise,
    mustEnroll,
    account,
  };
}

/** Null for what a proxy sent instead of an address, and after the client has disconnected. */
function toInetAddress(address = ''): string | null {
  const normalized = normalizeIpAddress(address.replace(/%.*/, ''));
  return isIP(normalized) === 0 ? null : normalized;
}

async function findApiKeyUser(
  { database, isEnterpriseEnforced, staffMustEnroll }: AuthenticationOptions,
  request: FastifyRequest,
  tokenHash: Buffer,
): Promise<CurrentUser | null> {
  const key = await findActiveApiKey(
    database.pool,
    tokenHash,
    toInetAddress(request.clientAddress),
    isEnterpriseEnforced,
    staffMustEnroll,
  );
  if (!key) return null;
  if (key.isStale && key.isNetworkAllowed) await touchApiKey(database.client, tokenHash);
  const {
    apiKeyId,
    scopes,
    isNetworkAllowed,
    userId: id,
    email,
    status,
    timeZone,
    language,
    isEnterprise,
    mustEnroll,
    account,
  } = key;
  return {
    id,
    email,
    role: 'USER',
    status,
    timeZone,
    language,
    sessionId: apiKeyId,
    apiKey: { id: apiKeyId, scopes, isNetworkAllowed },
    isEnterprise,
    mustEnroll,
    account: isNamedAccount(request, account.id) ? account : null,
  };
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
