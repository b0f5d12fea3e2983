import { PERMISSIONS } from './catalogue.ts';
import type { AccountRole, PermissionDefinition } from './shared/catalogue.ts';

export { USER_ROLES, type UserRole } from './shared/catalogue.ts';
export { PERMISSIONS };

export type Permission = keyof typeof PERMISSIONS;

export function getRolePermissions(role: string): readonly Permission[] {
  return PERMISSION_NAMES.filter((permission) => hasRolePermission(role, permission));
}

export function hasRolePermission(role: string, permission: Permission): boolean {
  const { roles }: PermissionDefinition = PERMISSIONS[permission];
  return roles.some((one) => one === role);
}

/** Whether a permission covers records of an account; else it covers what belongs to the user. */
export function isAccountPermission(permission: Permission): boolean {
  const { accountRoles }: PermissionDefinition = PERMISSIONS[permission];
  return accountRoles !== undefined;
}

/** Whether members with a role may use an operation; true where its permission is not of an account. */
export function hasAccountRolePermission(role: AccountRole, permission: Permission, method: string): boolean {
  const { accountRoles }: PermissionDefinition = PERMISSIONS[permission];
  return accountRoles === undefined || accountRoles[isReadMethod(method) ? 'read' : 'write'].includes(role);
}

function isReadMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

type ScopesOf<Definition> = Definition extends { scopes: infer Scopes } ? Scopes[keyof Scopes] : never;

/** What an API key may do: a scope for reading and one for writing of each resource. */
export type ApiKeyScope = ScopesOf<(typeof PERMISSIONS)[Permission]>;

/** Find the scope that an API key needs for an operation; null where no key may call it. */
export function findApiKeyScope(permission: Permission, method: string): ApiKeyScope | null {
  const { scopes }: PermissionDefinition = PERMISSIONS[permission];
  const scope = isReadMethod(method) ? scopes?.read : scopes?.write;
  return API_KEY_SCOPES.find((name) => name === scope) ?? null;
}

const PERMISSION_NAMES = Object.keys(PERMISSIONS).filter((name): name is Permission => name in PERMISSIONS);

export const API_KEY_SCOPES = PERMISSION_NAMES.flatMap((name) => {
  const { scopes }: PermissionDefinition = PERMISSIONS[name];
  return Object.values(scopes ?? {});
}) as readonly ApiKeyScope[];
