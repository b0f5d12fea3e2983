import type { RouteOptions } from 'fastify';
import { hasRolePermission, USER_ROLES } from '../permissions.ts';
import { schemaRef } from '../shared/common.schemas.ts';
import { MAX_REFRESHES_PER_SESSION, MAX_REQUESTS_PER_CLIENT } from './http/rate-limit-numbers.ts';
import { Problem } from './problem.schemas.ts';
import { findRouteApiKeyScope, isOfAccount, type RouteAccess } from './route-access.ts';

const PROBLEM_DESCRIPTIONS: Record<number, string> = {
  400: 'The request is invalid.',
  401: 'The credential is missing or invalid.',
  403: 'Permission denied.',
  404: 'Not found, or owned by another user.',
  408: 'The request timed out.',
  409: 'Conflict with the current state.',
  410: 'Paused, expired, exhausted or failed.',
  412: 'Changed by another request.',
  413: 'Too large.',
  415: 'Content type not supported.',
  416: 'The range is not satisfiable.',
  417: 'Expectation not supported.',
  429: 'Too many requests; try again after Retry-After.',
  431: 'Headers too large.',
  500: 'Internal server error.',
  503: 'Busy, or the database or a provider is unavailable; try again after Retry-After.',
};

// Of one status only one object: its serializer is then found by the object.
const problemResponses = new Map<number, object>();

export function createProblemResponseSchemas(...statuses: number[]) {
  return Object.fromEntries(statuses.map((status) => [status, getProblemResponse(status)]));
}

function getProblemResponse(status: number): object {
  const response = problemResponses.get(status) ?? {
    description: PROBLEM_DESCRIPTIONS[status] ?? 'An error.',
    content: { 'application/problem+json': { schema: schemaRef(Problem) } },
  };
  problemResponses.set(status, response);
  return response;
}

const NOT_MODIFIED_RESPONSE = { description: 'Not modified.', type: 'null' };

/** Add what differs from the introduction: who may call the route and how often. */
function describeRoute({ schema, config, method }: RouteOptions): string {
  const access = config?.access;
  const ofUsers = access?.who === 'account' ? access : undefined;
  const isForStaff = ofUsers && !USER_ROLES.every((role) => hasRolePermission(role, ofUsers.permission));
  const usualClass = method === 'GET' ? 'read' : 'write';
  const rateLimitClass = config?.rateLimitClass ?? usualClass;
  const maxOfSession = config?.findRateLimitSession && MAX_REFRESHES_PER_SESSION;
  return [
    schema?.description,
    isForStaff && `Permission \`${ofUsers.permission}\`.`,
    ofUsers?.profile && 'Requires a profile.',
    rateLimitClass !== usualClass &&
      rateLimitClass !== 'none' &&
      `${(maxOfSession ?? MAX_REQUESTS_PER_CLIENT[rateLimitClass]).toLocaleString('en')} requests a minute.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The roles of `apiKey` are the scopes of keys. */
function listSecurityRequirements(access: RouteAccess, method: string): Record<string, string[]>[] {
  const scope = findRouteApiKeyScope(access, method);
  if (scope === undefined) return [];
  return [
    ...(access.who === 'anyone' ? [{}] : []),
    { bearer: [] },
    ...(scope === null ? [] : [{ apiKey: [scope] }]),
  ];
}

/** Document what follows from the `config` of a route: its errors, its security, and what differs from the introduction. */
export function documentRoute(route: RouteOptions): void {
  const { schema } = route;
  if (!schema || schema.hide) return;
  const access = route.config?.access;
  const statuses = [400, 408, 417, 429, 431, 500, 503];
  // Fastify also parses an unexpected body, except for GET.
  if (route.method !== 'GET') statuses.push(413, 415);
  if (schema.params || isOfAccount(access)) statuses.push(404);
  if (access?.who === 'account') {
    statuses.push(401, 403);
  }
  schema.security = access ? listSecurityRequirements(access, [route.method].flat()[0] ?? '') : [];
  schema.description = describeRoute(route);
  const unchanged = route.config?.cache === 'revalidate' ? { 304: NOT_MODIFIED_RESPONSE } : {};
  schema.response = {
    ...createProblemResponseSchemas(...statuses),
    ...unchanged,
    ...(schema.response ?? {}),
  };
}
