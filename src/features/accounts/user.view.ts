import type { Static } from 'typebox';
import type { Vault } from '../../platform/vault.ts';
import { permissionsOf, ROLES } from '../../shared/permissions.ts';
import type { User } from './accounts.schemas.ts';
import type { UserRow } from './user.repository.ts';

/** What the view needs besides the row. */
export interface UserViewContext {
  vault: Vault;
  publicBaseUrl: string;
}

/** A person as the interface shows them to themselves. Never holds a hash. */
export function userView(context: UserViewContext, row: UserRow): Static<typeof User> {
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    accountType: row.accountType,
    organizationName: row.organizationName,
    phone: row.phone ? context.vault.open<string>(phonePlace(row.id), row.phone) : null,
    language: row.language,
    timeZone: row.timeZone,
    role: ROLES.find((role) => role === row.role) ?? 'USER',
    permissions: [...permissionsOf(row.role)],
    status: statusOf(row.status),
    profilePictureUrl: row.profilePicture
      ? `${context.publicBaseUrl}/uploads/profile-pictures/${row.profilePicture}`
      : null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Where a phone number is stored, for its encryption. */
export function phonePlace(userId: string) {
  return { table: 'users', column: 'phone', rowId: userId, ownerId: userId };
}

const STATUSES = ['PENDING_VERIFICATION', 'VERIFIED', 'ACTIVE', 'SUSPENDED', 'DELETED'] as const;

function statusOf(status: string): (typeof STATUSES)[number] {
  const known = STATUSES.find((candidate) => candidate === status);
  if (!known) throw new Error('A person has a status that is not known.');
  return known;
}
