import { PERMISSIONS } from '../catalogue.ts';
import type { PermissionDefinition } from './catalogue.ts';

export { USER_ROLES, type UserRole } from './catalogue.ts';
export { PERMISSIONS };

export type Permission = keyof typeof PERMISSIONS;

export function getRolePermissions(role: string): readonly Permission[] {
  return PERMISSION_NAMES.filter((permission) => hasRolePermission(role, permission));
}

export function hasRolePermission(role: string, permission: Permission): boolean {
  const { roles }: PermissionDefinition = PERMISSIONS[permission];
  return roles.some((one) => one === role);
}

const PERMISSION_NAMES = Object.keys(PERMISSIONS).filter((name): name is Permission => name in PERMISSIONS);
