import { isMember } from '../../platform/membership.repository.ts';
import type { SqlConnection } from '../../platform/sql.ts';
import type { AccountRole } from '../../shared/account-roles.ts';

/** They read the code without its PIN, so they have nothing to guess. A PIN can guard health data from a responder. */
const READING_ROLES: readonly AccountRole[] = ['OWNER', 'MANAGER', 'EDITOR', 'VIEWER'];

/** Check that the attempts of a user at the PIN of an account's code need not be limited. */
export function isExemptFromPin(
  connection: SqlConnection,
  accountId: string,
  userId: string,
): Promise<boolean> {
  return isMember(connection, { accountId, userId }, READING_ROLES);
}
