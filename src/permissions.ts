import { PERMISSIONS } from './catalogue.ts';
import type { PermissionDefinition } from './shared/catalogue.ts';

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

type ScopesOf<Definition> = Definition extends { scopes: infer Scopes } ? Scopes[keyof Scopes] : never;

/** What an API key may do: a scope for reading and one for writing of each resource. */
export type ApiKeyScope = ScopesOf<(typeof PERMISSIONS)[Permission]>;

/** Find the scope that an API key needs for an operation; null where no key may call it. */
export function findApiKeyScope(permission: Permission, method: string): ApiKeyScope | null {
  const { scopes }: PermissionDefinition = PERMISSIONS[permission];
  const scope = method === 'GET' || method === 'HEAD' ? scopes?.read : scopes?.write;
  return API_KEY_SCOPES.find((name) => name === scope) ?? null;
}

const PERMISSION_NAMES = Object.keys(PERMISSIONS).filter((name): name is Permission => name in PERMISSIONS);

export const API_KEY_SCOPES = PERMISSION_NAMES.flatMap((name) => {
  const { scopes }: PermissionDefinition = PERMISSIONS[name];
  return Object.values(scopes ?? {});
}) as readonly ApiKeyScope[];
