import type { Static } from 'typebox';
import { getRolePermissions, USER_ROLES } from '../../../permissions.ts';
import { defineColumnCipher } from '../../../platform/column-cipher.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { identityCatalogue } from '../catalogue.ts';
import type { UserSchema } from './accounts.schemas.ts';
import type { MembershipRow } from './membership.repository.ts';
import type { AccountMembership } from './membership.schemas.ts';
import type { UserRow } from './user.repository.ts';

export interface UserViewContext {
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
}

export function toUserView(context: UserViewContext, row: UserRow): Static<typeof UserSchema> {
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    accountType: row.accountType,
    organizationName: row.organizationName,
    phone: USER_PHONE.decrypt(context.fieldCipher, row),
    language: row.language,
    timeZone: row.timeZone,
    role: USER_ROLES.find((role) => role === row.role) ?? 'USER',
    permissions: [...getRolePermissions(row.role)],
    status: requireUserStatus(row.status),
    profilePictureUrl: row.profilePicture
      ? `${context.publicBaseUrl}/uploads/profile-pictures/${row.profilePicture}`
      : null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function toMembershipView(row: MembershipRow): Static<typeof AccountMembership> {
  const { accountId, type, name, role } = row;
  return { id: accountId, type, name, role };
}

export const USER_PHONE = defineColumnCipher(identityCatalogue, 'users.phone').of<string>();

const KNOWN_USER_STATUSES = ['PENDING_VERIFICATION', 'VERIFIED', 'ACTIVE', 'SUSPENDED', 'DELETED'] as const;

function requireUserStatus(status: string): (typeof KNOWN_USER_STATUSES)[number] {
  const knownStatus = KNOWN_USER_STATUSES.find((candidate) => candidate === status);
  if (!knownStatus) throw new Error('Unknown user status.');
  return knownStatus;
}
