import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { AUDIT_ACTIONS, type AuditAction, type ResourceType } from '../shared/audit-actions.ts';
import { ServiceError } from '../shared/errors.ts';
import { hasPermission, type Permission } from '../shared/permissions.ts';
import type { CurrentUser } from './current-user.ts';

/** Who may call a route. */
export type RouteAccess =
  | { who: 'anyone'; credential: 'ignored' | 'welcome'; beforeEnrollment?: true }
  | { who: 'account'; permission: Permission; profile: boolean; beforeEnrollment?: true };

/** For anyone; a credential is not even looked at. */
export const PUBLIC_ACCESS: RouteAccess = { who: 'anyone', credential: 'ignored' };

/** For anyone; a valid credential is taken into account, a bad one counts as none. */
export const PUBLIC_OR_USER_ACCESS: RouteAccess = { who: 'anyone', credential: 'welcome' };

/** For accounts that have the permission. */
export function allowUsers(permission: Permission): RouteAccess {
  return { who: 'account', permission, profile: false };
}

/** For accounts that have the permission and a profile: whatever creates something. */
export function allowUsersWithProfile(permission: Permission): RouteAccess {
  return { who: 'account', permission, profile: true };
}

/** The same, also for an account that enterprise mode demands a second factor of, and that has none yet. */
export function allowBeforeMfaEnrollment(access: RouteAccess): RouteAccess {
  return { ...access, beforeEnrollment: true };
}

/** What the audit trail calls a route: the action it records, and the type of what it is about. */
export interface RouteAudit {
  action: AuditAction | null;
  resourceType: ResourceType;
}

/** A route that records this action. */
export function auditAs(action: AuditAction): RouteAudit {
  return { action, resourceType: AUDIT_ACTIONS[action].resourceType };
}

/** A route that leaves no entry of its own; a denial names the type of what was asked for. */
export function skipAudit(resourceType: ResourceType): RouteAudit {
  return { action: null, resourceType };
}

/** A route with what it declares. */
export interface DeclaredRoute {
  method: string;
  url: string;
  access: RouteAccess | undefined;
  audit: RouteAudit | undefined;
}

/** Milliseconds after which what was found of a sender is looked at again, before the handler begins. */
const MAX_CREDENTIAL_AGE_MS = 200;

declare module 'fastify' {
  interface FastifyRequest {
    /** When the credential was looked at, as performance.now() tells; 0 where nobody asked for one. */
    credentialReadAt: number;
  }
  interface FastifyInstance {
    /** Every route of the application but preflights and the HEAD beside a GET, once it is ready. */
    declaredRoutes(): DeclaredRoute[];
  }
  interface FastifyContextConfig {
    /** Who may call the route. The app refuses to start with a route that does not say. */
    access?: RouteAccess;
    /** What the audit trail calls it. The app refuses to start with a route that does not say. */
    audit?: RouteAudit;
  }
}

/**
 * Enforces what each route declares, and refuses to start when a route declares nothing, or leaves to chance whether a
 * HEAD, which shows nothing, leaves the entry of its GET.
 * Needs the authentication plugin, which knows how to read a credential.
 */
async function registerAccessControl(app: FastifyInstance) {
  app.decorateRequest('credentialReadAt', 0);
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    // A preflight has no content to protect.
    if (route.method !== 'OPTIONS') routes.push(route);
  });
  app.decorate('declaredRoutes', () =>
    routes.flatMap(({ method, url, config }) =>
      [method]
        .flat()
        .filter((name) => name !== 'HEAD')
        .map((name) => ({ method: name, url, access: config?.access, audit: config?.audit })),
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
    const unsafeHeadRoutes = routes.filter(
      ({ method, config, exposeHeadRoute }) =>
        method === 'HEAD' && config?.audit?.action && exposeHeadRoute !== true,
    );
    if (unsafeHeadRoutes.length > 0) {
      const names = unsafeHeadRoutes.map(({ url }) => url).join(', ');
      throw new Error(`A HEAD would do what these say of a GET; set exposeHeadRoute: ${names}`);
    }
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const access = request.routeOptions.config.access;
    if (access) authorizeRequest(request, access).then(() => done(), done);
    else done();
  });
  // Whoever sends the head of a request and keeps its body back must not outlive a log-out in it.
  app.addHook('preHandler', (request, _reply, done) => {
    const access = request.routeOptions.config.access;
    const readAt = request.credentialReadAt;
    if (access && readAt > 0 && performance.now() - readAt > MAX_CREDENTIAL_AGE_MS)
      authorizeRequest(request, access).then(() => done(), done);
    else done();
  });
}

/** Reads the credential where the route wants one, and enforces what the route declares. */
async function authorizeRequest(request: FastifyRequest, access: RouteAccess): Promise<void> {
  if (access.who === 'anyone' && access.credential === 'ignored') return;
  await request.readCredential();
  request.credentialReadAt = performance.now();
  if (access.who === 'account') enforceAccess(request.user, access);
  else if (request.user?.mustEnroll && !access.beforeEnrollment) request.user = null;
}

export const accessControlPlugin = fp(registerAccessControl, {
  name: 'access',
  dependencies: ['authentication'],
});

function enforceAccess(user: CurrentUser | null, access: Extract<RouteAccess, { who: 'account' }>): void {
  if (!user) throw new ServiceError('UNAUTHENTICATED');
  if (user.status === 'SUSPENDED') throw new ServiceError('ACCOUNT_SUSPENDED');
  if (user.mustEnroll && !access.beforeEnrollment) throw new ServiceError('MFA_ENROLLMENT_REQUIRED');
  if (!hasPermission(user.role, access.permission)) throw new ServiceError('FORBIDDEN');
  if (access.profile && user.status !== 'ACTIVE') throw new ServiceError('PROFILE_REQUIRED');
}
