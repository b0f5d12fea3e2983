import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { AUDIT_ACTIONS, type AuditAction, type AuditResourceType } from '../audit-actions.ts';
import {
  type ApiKeyScope,
  findApiKeyScope,
  hasAccountRolePermission,
  hasRolePermission,
  isAccountPermission,
  type Permission,
} from '../permissions.ts';
import type { AccountRole } from '../shared/account-roles.ts';
import { ServiceError, type ServiceErrorCode } from '../shared/errors.ts';
import { createAccountNotFoundError } from './acting-account.ts';
import type { CurrentUser } from './current-user.ts';
import type { Database } from './database.ts';
import { isInFolders, type LimitedRecord } from './folder-limit.repository.ts';
import { addVary } from './http/add-vary.ts';

interface CredentialAccess {
  permission: Permission;
  beforeEnrollment?: true;
  /** Pages take the cookie of a session; all others the Authorization header. */
  credentialIn?: 'cookie';
  /** The roles in an account that it needs; by default those of the method. */
  accountRoles?: 'read' | 'write';
  /** How it keeps to the folders of a member who is limited to some; without it they are refused. */
  limitedTo?: FolderLimit;
}

/**
 * Records outside of the folders of a limited member: where a path names a record, it is looked up before the handler runs;
 * FILTERED where the handler leaves them out.
 */
export type FolderLimit = LimitedRecord | 'FILTERED';

export interface UserAccess extends CredentialAccess {
  who: 'account';
  profile: boolean;
}

export type RouteAccess =
  | { who: 'anyone'; credential: 'ignored'; beforeEnrollment?: true; credentialIn?: undefined }
  | ({ who: 'anyone'; credential: 'welcome' } & CredentialAccess)
  | UserAccess;

/** Whether an operation reads or changes records of the account that its request acts for. */
export function isOfAccount(access: RouteAccess | undefined): boolean {
  return access !== undefined && 'permission' in access && isAccountPermission(access.permission);
}

export const PUBLIC_ACCESS: RouteAccess = { who: 'anyone', credential: 'ignored' };

/**
 * Anyone; a valid credential is used, an invalid one ignored, as is an account that the user may not act for. The permission
 * is for scopes of API keys; what only members get needs `hasAccountPermission`.
 */
export function allowAnyoneOrUsers(
  permission: Permission,
): CredentialAccess & { who: 'anyone'; credential: 'welcome' } {
  return { who: 'anyone', credential: 'welcome', permission };
}

export function allowUsers(permission: Permission): UserAccess {
  return { who: 'account', permission, profile: false };
}

export function allowUsersWithProfile(permission: Permission): UserAccess {
  return { who: 'account', permission, profile: true };
}

export function allowBeforeMfaEnrollment<Access extends RouteAccess>(access: Access): Access {
  return { ...access, beforeEnrollment: true };
}

/** For pages: the session is in a cookie. */
export function allowByCookie<Access extends CredentialAccess>(access: Access): Access {
  return { ...access, credentialIn: 'cookie' };
}

/** For the roles that read: what they change is of the member alone. */
export function allowReaders<Access extends CredentialAccess>(access: Access): Access {
  return { ...access, accountRoles: 'read' };
}

/** For the roles that write: a page of what the others may not send. */
export function allowWriters<Access extends CredentialAccess>(access: Access): Access {
  return { ...access, accountRoles: 'write' };
}

/**
 * For members who are limited to folders, too. The record that the path names as `id` has to be in one of them; with
 * FILTERED the handler keeps to `folderIds` of the account.
 */
export function allowLimitedMembers<Access extends CredentialAccess>(
  access: Access,
  limitedTo: FolderLimit,
): Access {
  return { ...access, limitedTo };
}

export interface RouteAudit {
  action: AuditAction | null;
  resourceType: AuditResourceType;
}

export function auditAs(action: AuditAction): RouteAudit {
  return { action, resourceType: AUDIT_ACTIONS[action].resourceType };
}

/** Record no entry; denials carry the resource type. */
export function skipAudit(resourceType: AuditResourceType): RouteAudit {
  return { action: null, resourceType };
}

export interface DeclaredRoute {
  method: string;
  url: string;
  access: RouteAccess | undefined;
  audit: RouteAudit | undefined;
  rateLimitClass: string | undefined;
}

/** Older credentials are checked again before the handler runs. */
const MAX_CREDENTIAL_AGE_MS = 200;

declare module 'fastify' {
  interface FastifyRequest {
    /** When the credential was read (performance.now()); 0 for none. */
    credentialReadAt: number;
  }
  interface FastifyInstance {
    /** All routes but preflights and implied HEADs; complete once the app is ready. */
    declaredRoutes(): DeclaredRoute[];
  }
  interface FastifyContextConfig {
    access?: RouteAccess;
    audit?: RouteAudit;
  }
}

/** Enforce what each route declares, or refuse to start. Needs the authentication plugin. */
async function registerAccessControl(app: FastifyInstance, { database }: { database: Database }) {
  app.decorateRequest('credentialReadAt', 0);
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (route.method !== 'OPTIONS') routes.push(route);
  });
  app.decorate('declaredRoutes', () =>
    routes.flatMap(({ method, url, config }) =>
      [method]
        .flat()
        .filter((name) => name !== 'HEAD')
        .map((name) => ({
          method: name,
          url,
          access: config?.access,
          audit: config?.audit,
          rateLimitClass: config?.rateLimitClass,
        })),
    ),
  );
  app.addHook('onReady', async () => {
    const undeclaredRoutes = routes.filter(
      ({ config }) => config?.access === undefined || config.audit === undefined,
    );
    if (undeclaredRoutes.length > 0) {
      const names = undeclaredRoutes.map((route) => `${route.method} ${route.url}`).join(', ');
      throw new Error(`Routes that do not declare access and audit: ${names}`);
    }
  });
  app.addHook('onRequest', (request, reply, done) => {
    const access = request.routeOptions.config.access;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && isOfAccount(access) && access?.credentialIn !== 'cookie') addVary(reply, 'Account-Id');
    if (access) authorizeRequest(database, request, access).then(() => done(), done);
    else done();
  });
  // A client that delays its body must not bypass a logout in between.
  app.addHook('preHandler', (request, _reply, done) => {
    const readAt = request.credentialReadAt;
    const isOld = readAt > 0 && performance.now() - readAt > MAX_CREDENTIAL_AGE_MS;
    const access = isOld ? request.routeOptions.config.access : undefined;
    if (access) authorizeRequest(database, request, access).then(() => done(), done);
    else done();
  });
}

async function authorizeRequest(
  database: Database,
  request: FastifyRequest,
  access: RouteAccess,
): Promise<void> {
  if (access.who === 'anyone' && access.credential === 'ignored') return;
  await request.readCredential();
  request.credentialReadAt = performance.now();
  enforceApiKeyScope(request, access.permission);
  if (access.who === 'account') {
    enforceAccess(request, access);
    await enforceFolderLimit(database, request, access);
  } else if (request.user?.mustEnroll && !access.beforeEnrollment) request.user = null;
}

/** @throws NOT_FOUND for a record that is in none of the folders that a limited member has */
async function enforceFolderLimit(
  database: Database,
  { user, params }: FastifyRequest,
  { limitedTo }: UserAccess,
): Promise<void> {
  const account = user?.account;
  if (!account?.folderIds || !limitedTo || limitedTo === 'FILTERED') return;
  const id = String(Reflect.get(Object(params), 'id'));
  if (!(await isInFolders(database.pool, limitedTo, { accountId: account.id, id }, account.folderIds)))
    throw new ServiceError('NOT_FOUND');
}

/** Read the credential of a request again, as during a long response: whether it is still allowed. */
export async function isStillAllowed(request: FastifyRequest): Promise<boolean> {
  await request.readCredential();
  const { user, method } = request;
  const { access } = request.routeOptions.config;
  if (!user || user.status === 'SUSPENDED') return false;
  return access?.who !== 'account' || findAccessRefusal(user, access, method) === null;
}

export const accessControlPlugin = fp(registerAccessControl, {
  name: 'access',
  dependencies: ['authentication'],
});

/** Find the scope that an API key needs for a route: undefined for none, null where no key may call it. */
export function findRouteApiKeyScope(access: RouteAccess, method: string): ApiKeyScope | null | undefined {
  if (access.who === 'anyone' && access.credential === 'ignored') return undefined;
  return findApiKeyScope(access.permission, method);
}

/** @throws NETWORK_NOT_ALLOWED, API_KEY_NOT_ALLOWED, SCOPE_REQUIRED */
function enforceApiKeyScope({ user, method }: FastifyRequest, permission: Permission): void {
  const apiKey = user?.apiKey;
  if (!apiKey) return;
  if (!apiKey.isNetworkAllowed) throw new ServiceError('NETWORK_NOT_ALLOWED');
  const scope = findApiKeyScope(permission, method);
  // The key of an organization reads nothing of whoever made it.
  const isOfUserAlone = !isAccountPermission(permission) && user.account?.id !== user.id;
  if (scope === null || isOfUserAlone) throw new ServiceError('API_KEY_NOT_ALLOWED');
  if (!apiKey.scopes.includes(scope))
    throw new ServiceError('SCOPE_REQUIRED', { detail: `This operation needs the scope ${scope}.` });
}

/** Check the access of an operation that its route does not declare, as where another part of it serves anyone. */
export function enforceAccess(request: FastifyRequest, access: UserAccess): void {
  const { user, method } = request;
  if (!user) throw new ServiceError('UNAUTHENTICATED');
  throwRefusal(request, findAccessRefusal(user, access, method));
}

/** The rule for routes and for sockets. */
export function findAccessRefusal(
  user: Pick<CurrentUser, 'status' | 'role' | 'mustEnroll' | 'account'>,
  access: UserAccess,
  method: string,
): ServiceErrorCode | null {
  if (user.status === 'SUSPENDED') return 'ACCOUNT_SUSPENDED';
  if (user.mustEnroll && !access.beforeEnrollment) return 'MFA_ENROLLMENT_REQUIRED';
  if (!hasRolePermission(user.role, access.permission)) return 'FORBIDDEN';
  if (access.profile && user.status !== 'ACTIVE') return 'PROFILE_REQUIRED';
  return findAccountRefusal(user, access, method);
}

/** Whether a user may read or change what a permission covers in the account that they act for; limited members only where it says so. */
export function hasAccountPermission(
  user: Pick<CurrentUser, 'account'>,
  permission: Permission,
  method: string,
  { limitedTo }: Pick<CredentialAccess, 'limitedTo'> = {},
): boolean {
  return findAccountRefusal(user, { permission, ...(limitedTo && { limitedTo }) }, method) === null;
}

/** Whether members with a role may use an operation; true where it is not of an account. */
export function hasAccountRole(
  role: AccountRole,
  { permission, accountRoles }: Pick<CredentialAccess, 'permission' | 'accountRoles'>,
  method: string,
): boolean {
  const roleMethod = { read: 'GET', write: 'POST', byMethod: method }[accountRoles ?? 'byMethod'];
  return hasAccountRolePermission(role, permission, roleMethod);
}

function findAccountRefusal(
  { account }: Pick<CurrentUser, 'account'>,
  access: Pick<CredentialAccess, 'permission' | 'accountRoles' | 'limitedTo'>,
  method: string,
): ServiceErrorCode | null {
  if (!isAccountPermission(access.permission)) return null;
  if (!account) return 'ACCOUNT_NOT_FOUND';
  // A personal one has the status of its user, who may do as a guest what guests may.
  if (account.type === 'ORGANIZATION' && account.status === 'SUSPENDED') return 'ACCOUNT_SUSPENDED';
  if (account.folderIds !== null && !access.limitedTo) return 'FORBIDDEN';
  if (!hasAccountRole(account.role, access, method)) return 'FORBIDDEN';
  return account.mustLogIn ? 'REAUTHENTICATION_REQUIRED' : null;
}

function throwRefusal(request: FastifyRequest, refusal: ServiceErrorCode | null): void {
  if (refusal === 'ACCOUNT_NOT_FOUND') throw createAccountNotFoundError(request);
  if (refusal) throw new ServiceError(refusal);
}
