import {
  findApiKeyScope,
  getRolePermissions,
  hasAccountRolePermission,
  isAccountPermission,
  PERMISSIONS,
  type Permission,
  USER_ROLES,
} from '../../src/permissions.ts';
import {
  type DeclaredRoute,
  findRouteApiKeyScope,
  type RouteAccess,
} from '../../src/platform/route-access.ts';
import { ACCOUNT_ROLES, type AccountRole } from '../../src/shared/account-roles.ts';
import { code, formatDocument, formatTable } from './markdown.ts';

export interface ApiDocument {
  paths: Record<string, Record<string, { summary?: string }>>;
}

const INTRODUCTION = `
An operation for users names the one permission that it needs. A role has a fixed set of permissions. A change of role counts from the next request of the user on.

A permission that ends in \`:own\` covers the records of an account that the user acts for; \`notifications:own\` those of the user. Those of somebody else answer 404.
`;

const ACCOUNT_ROLES_INTRODUCTION = `
A user is OWNER of their personal account, and in an organization what its membership says. \`Account-Id\` [names the account](../guides/accounts.md#act-for-another-account) of a request. A role without a permission gets 403 \`FORBIDDEN\`, and 404 from pages. A permission that is not here is of the user, whatever account is named.

RESPONDER reads no content of medical codes: 403 for a code, and lists and exports leave it out. In enterprise mode the same holds for VIEWER, who does not read health documents either.
`;

const OPERATIONS = `
Marks of operations:

- **profile**: the user must have completed the profile, otherwise 403 \`PROFILE_REQUIRED\`.
- **before enrollment**: allowed in enterprise mode before the second factor is set up; all others answer 403 \`MFA_ENROLLMENT_REQUIRED\`.
- **reading roles**: a change that every role in the account may make that reads, because it is of the member alone.
- **writing roles**: a page that only the roles open that may send its form.
- **optional user**: anyone may call it. A valid credential is taken into account; an API key needs the scope in parentheses.

The last column has the audit action that a successful call records.
`;

const SCOPES = `
An [API key](../guides/api-keys.md) has scopes and no role. It reaches what its user owns, and no operation of staff. Scopes come from permissions: one for GET, one for all other methods. A permission without scopes takes no key.
`;

/** Format docs/reference/permissions.md: the permissions of each role, and the permission of each operation. */
export function formatPermissions(routes: readonly DeclaredRoute[], api: ApiDocument): string {
  const names = Object.keys(PERMISSIONS) as Permission[];
  const matrix = names.map((name) => [
    code(name),
    PERMISSIONS[name].meaning,
    ...USER_ROLES.map((role) => (getRolePermissions(role).includes(name) ? 'yes' : '')),
  ]);
  const sorted = routes.toSorted(
    (one, other) => compare(one.url, other.url) || compare(one.method, other.method),
  );
  const section = (title: string, permission: Permission | null) => {
    const rows = sorted
      .filter(({ access }) => (access?.who === 'account' ? access.permission : null) === permission)
      .map((route) => formatRoute(route, api));
    return `### ${title}\n\n${formatTable(['operation', 'what it does', 'marks', 'audit'], rows)}`;
  };
  return formatDocument(
    'Permissions',
    INTRODUCTION,
    '## Roles',
    formatTable(['permission', 'allows', ...USER_ROLES], matrix),
    '## Roles in an account',
    ACCOUNT_ROLES_INTRODUCTION,
    formatTable(['permission', ...ACCOUNT_ROLES], listAccountRoles(names)),
    '## Scopes of API keys',
    SCOPES,
    formatTable(['permission', 'GET', 'other methods'], listScopes(names)),
    '## Operations',
    OPERATIONS,
    ...names.map((name) => section(name, name)),
    section('Without a permission', null),
  );
}

function listAccountRoles(names: readonly Permission[]): string[][] {
  return names
    .filter((name) => isAccountPermission(name))
    .map((name) => {
      const describe = (role: AccountRole) =>
        [
          hasAccountRolePermission(role, name, 'GET') && 'read',
          hasAccountRolePermission(role, name, 'POST') && 'write',
        ]
          .filter(Boolean)
          .join(', ');
      return [code(name), ...ACCOUNT_ROLES.map(describe)];
    });
}

function listScopes(names: readonly Permission[]): string[][] {
  return names.flatMap((name) => {
    const [read, write] = ['GET', 'POST'].map((method) => findApiKeyScope(name, method));
    return read || write ? [[code(name), read ? code(read) : '', write ? code(write) : '']] : [];
  });
}

function formatRoute({ method, url, access, audit }: DeclaredRoute, api: ApiDocument): string[] {
  const path = url.replaceAll(/:(\w+)(?:\([^)]*\))?/g, '{$1}');
  const summary = api.paths[path]?.[method.toLowerCase()]?.summary ?? '';
  return [
    code(`${method} ${path}`),
    summary,
    formatMarks(access, method),
    audit?.action ? code(audit.action) : '',
  ];
}

function formatMarks(access: RouteAccess | undefined, method: string): string {
  const scope = access && findRouteApiKeyScope(access, method);
  const marks = [
    access?.who === 'account' && access.profile && 'profile',
    access?.who === 'anyone' &&
      access.credential === 'welcome' &&
      `optional user${scope ? ` (${code(scope)})` : ''}`,
    access?.beforeEnrollment && 'before enrollment',
    access &&
      'accountRoles' in access &&
      access.accountRoles === 'read' &&
      method !== 'GET' &&
      'reading roles',
  ];
  return marks.filter(Boolean).join(', ');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
