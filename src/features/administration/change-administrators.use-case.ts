import type { AuditAction } from '../../audit-actions.ts';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database, Tx } from '../../platform/database.ts';
import { generateRequestId } from '../../platform/http/request-id.ts';
import {
  findUserForAdministrationByEmail,
  hasOtherAdministrator,
  lockAdministrators,
  revokeUserAccess,
  updateUserRole,
  upsertAdministrator,
} from '../identity/index.ts';

/** Operation of the audit entry for a role change. */
export type RoleChangeOperation =
  | 'start'
  | 'admin create'
  | 'admin promote'
  | 'admin demote'
  | 'admin remove-second-factor';

/**
 * Create an administrator with a hashed password. Replaces an unverified registration of the address; changes nothing
 * if the address has an account.
 */
export async function createAdministrator(
  database: Database,
  input: { email: string; passwordHash: string },
): Promise<'CREATED' | 'HAS_ACCOUNT'> {
  return runWithAdministratorLock(database, async (tx) => {
    const user = await findUserForAdministrationByEmail(tx, input.email);
    if (user && user.status !== 'PENDING_VERIFICATION') return 'HAS_ACCOUNT';
    const administrator = await upsertAdministrator(tx, input.email, input.passwordHash);
    if (!administrator) return 'HAS_ACCOUNT';
    await recordRoleChange(tx, 'ADMINISTRATOR_CREATED', administrator.id, 'admin create');
    return 'CREATED';
  });
}

/** Make an existing verified user an administrator; the password stays, sessions end. */
export async function promoteUserToAdministrator(
  database: Database,
  email: string,
): Promise<'PROMOTED' | 'WAS_ADMINISTRATOR' | 'NO_ACCOUNT' | 'NOT_CONFIRMED' | 'SUSPENDED'> {
  return runWithAdministratorLock(database, async (tx) => {
    const user = await findUserForAdministrationByEmail(tx, email);
    if (!user) return 'NO_ACCOUNT';
    if (user.status === 'PENDING_VERIFICATION') return 'NOT_CONFIRMED';
    if (!user.canLogIn) return 'SUSPENDED';
    if (user.role === 'ADMIN') return 'WAS_ADMINISTRATOR';
    await upsertAdministrator(tx, email, null);
    await revokeUserAccess(tx, user.id, 'ROLE_CHANGED');
    await recordRoleChange(tx, 'ADMINISTRATOR_CREATED', user.id, 'admin promote');
    return 'PROMOTED';
  });
}

/** Remove the role from an administrator and end their sessions, unless no other administrator can log in. */
export async function demoteAdministrator(
  database: Database,
  email: string,
): Promise<'DEMOTED' | 'NO_ADMINISTRATOR' | 'LAST'> {
  return runWithAdministratorLock(database, async (tx) => {
    const user = await findUserForAdministrationByEmail(tx, email);
    if (user?.role !== 'ADMIN') return 'NO_ADMINISTRATOR';
    if (user.canLogIn && !(await hasOtherAdministrator(tx, user.id))) return 'LAST';
    await updateUserRole(tx, user.id, 'USER');
    await revokeUserAccess(tx, user.id, 'ROLE_CHANGED');
    await recordRoleChange(tx, 'ROLE_CHANGED', user.id, 'admin demote');
    return 'DEMOTED';
  });
}

/** Run a change of roles under the lock that serializes them across instances. */
export function runWithAdministratorLock<Result>(
  database: Database,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    await lockAdministrators(tx);
    return work(tx);
  });
}

/** Record a role change that no request made, in the transaction that makes it. */
export async function recordRoleChange(
  tx: Tx,
  action: AuditAction,
  userId: string,
  operation: RoleChangeOperation,
  changes: readonly string[] = ['role'],
): Promise<void> {
  await insertAuditEntry(tx, {
    action,
    outcome: 'SUCCESS',
    resourceId: userId,
    operation,
    requestId: generateRequestId(),
    changes,
  });
}
