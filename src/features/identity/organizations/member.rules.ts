import type { AccountRole } from '../../../shared/account-roles.ts';

/** Whether a role reads the addresses of members, and removes them. */
export function managesMembers(role: AccountRole): boolean {
  return role === 'OWNER' || role === 'MANAGER';
}

/** Whether a role may change or remove a member: a MANAGER has no say in who owns the organization. */
export function canManageMember(
  actor: AccountRole,
  member: AccountRole,
  next: AccountRole = member,
): boolean {
  return actor === 'OWNER' || (actor === 'MANAGER' && member !== 'OWNER' && next !== 'OWNER');
}
