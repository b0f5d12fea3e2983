import type { AccountRole } from '../../../../shared/account-roles.ts';

/** What somebody can be invited as. Owners make a member an owner. */
export const INVITED_ROLES = ['MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER', 'BILLING'] as const;

export type InvitedRole = (typeof INVITED_ROLES)[number];

export const INVITATION_STATUSES = [
  'PENDING',
  'EXPIRED',
  'STOPPED',
  'ACCEPTED',
  'DECLINED',
  'REVOKED',
] as const;

export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

export type StoredInvitationStatus = Exclude<InvitationStatus, 'EXPIRED' | 'STOPPED'>;

/** List the roles that a member may invite as: a MANAGER those that allow less than their own. None for the others. */
export function listInvitableRoles(role: AccountRole | null): readonly InvitedRole[] {
  if (role === 'OWNER') return INVITED_ROLES;
  return role === 'MANAGER' ? ['EDITOR', 'RESPONDER', 'VIEWER'] : [];
}

interface InvitationState {
  role: InvitedRole;
  status: StoredInvitationStatus;
  expiresAt: Date;
  /** Role of the inviter; null once they may not invite as this role any more, or have left. */
  inviterRole: AccountRole | null;
}

/** An invitation counts until it expires, and as long as who sent it may invite as this role. */
export function getInvitationStatus(
  { role, status, expiresAt, inviterRole }: InvitationState,
  now: Date,
): InvitationStatus {
  if (status !== 'PENDING') return status;
  if (expiresAt <= now) return 'EXPIRED';
  return listInvitableRoles(inviterRole).includes(role) ? 'PENDING' : 'STOPPED';
}

const MAX_NAME_CHARACTERS = 60;

/**
 * Format a name that somebody else chose for emails and for whoever is invited: bounded, and nothing in it that a mail program makes a
 * link of, or that changes the direction of the text around it.
 */
export function formatForeignName(name: string): string {
  const plain = name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').replace(/[./:@\\]+(?=\S)/g, ' ');
  const characters = [...plain];
  if (characters.length <= MAX_NAME_CHARACTERS) return plain.trim();
  return `${characters
    .slice(0, MAX_NAME_CHARACTERS - 1)
    .join('')
    .trim()}…`;
}
