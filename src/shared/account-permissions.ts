import type { AccountRole } from './account-roles.ts';

/** The roles that may read what a permission covers, and those that may change it. */
export interface AccountRolesDefinition {
  read: readonly AccountRole[];
  write: readonly AccountRole[];
}

const EDITORS: readonly AccountRole[] = ['OWNER', 'MANAGER', 'EDITOR'];
const READERS: readonly AccountRole[] = [...EDITORS, 'RESPONDER', 'VIEWER'];

/** Records that every member but BILLING reads. */
export const ROLES_OF_RECORDS: AccountRolesDefinition = { read: READERS, write: EDITORS };

/** Records with private content, which a RESPONDER does not read. */
export const ROLES_OF_PRIVATE_RECORDS: AccountRolesDefinition = {
  read: [...EDITORS, 'VIEWER'],
  write: EDITORS,
};

export const ROLES_OF_CONVERSATIONS: AccountRolesDefinition = {
  read: READERS,
  write: [...EDITORS, 'RESPONDER'],
};

export const ROLES_OF_MANAGEMENT: AccountRolesDefinition = {
  read: ['OWNER', 'MANAGER'],
  write: ['OWNER', 'MANAGER'],
};

/** An EDITOR has only the keys that they made. */
export const ROLES_OF_API_KEYS: AccountRolesDefinition = { read: EDITORS, write: EDITORS };

export const ROLES_OF_BILLING: AccountRolesDefinition = {
  read: ['OWNER', 'MANAGER', 'BILLING'],
  write: ['OWNER', 'BILLING'],
};

const HEALTH_DATA_ROLES: readonly AccountRole[] = [...EDITORS, 'VIEWER'];

/** Whether a role reads content of medical codes and health documents. In enterprise mode a VIEWER does not. */
export function readsHealthData({
  role,
  isEnterprise,
}: {
  role: AccountRole;
  isEnterprise: boolean;
}): boolean {
  return HEALTH_DATA_ROLES.includes(role) && !(role === 'VIEWER' && isEnterprise);
}
