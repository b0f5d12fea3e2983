import { PERMISSIONS } from '../catalogue.ts';
import type { PermissionDefinition } from './catalogue.ts';

export { ROLES, type Role } from './catalogue.ts';
export { PERMISSIONS };

export type Permission = keyof typeof PERMISSIONS;

export function getPermissions(role: string): readonly Permission[] {
  return PERMISSION_NAMES.filter((permission) => hasPermission(role, permission));
}

export function hasPermission(role: string, permission: Permission): boolean {
  const { roles }: PermissionDefinition = PERMISSIONS[permission];
  return roles.some((one) => one === role);
}

const PERMISSION_NAMES = Object.keys(PERMISSIONS).filter((name): name is Permission => name in PERMISSIONS);
