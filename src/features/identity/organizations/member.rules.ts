import { ROLES_OF_MANAGEMENT } from '../../../shared/account-permissions.ts';
import type { AccountRole } from '../../../shared/account-roles.ts';
import { listInvitableRoles } from './invitations/invitation.rules.ts';

/** Whether a role reads the addresses of members, and removes them. */
export function managesMembers(role: AccountRole): boolean {
  return ROLES_OF_MANAGEMENT.write.includes(role);
}

/**
 * Whether a role may change or remove a member: a MANAGER has no say in who owns the organization, and gives only roles that
 * they may invite as.
 */
export function canManageMember(
  actor: AccountRole,
  member: AccountRole,
  next: AccountRole = member,
): boolean {
  if (actor === 'OWNER') return true;
  if (actor !== 'MANAGER' || member === 'OWNER') return false;
  return next === member || listInvitableRoles(actor).some((role) => role === next);
}
