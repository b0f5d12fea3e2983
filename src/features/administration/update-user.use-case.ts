import type { UserRole } from '../../permissions.ts';
import { assertStillAuthorized } from '../../platform/assert-still-authorized.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import {
  type AdministeredUser,
  hasOtherAdministrator,
  lockUserForAdministration,
  revokeUserAccess,
  setEnterpriseModeAndNotify,
  updateUserRole,
  updateUserStatus,
} from '../identity/index.ts';
import type { AdministrationServices } from './administration-services.ts';
import { findUserForAdministration, type UserAdministrationRow } from './all-users.repository.ts';
import { runWithAdministratorLock } from './change-administrators.use-case.ts';

/** ACTIVE restores the status from before the suspension. */
export interface AdminUserUpdate {
  role?: UserRole | undefined;
  status?: 'ACTIVE' | 'SUSPENDED' | undefined;
  enterpriseMode?: boolean | undefined;
}

/**
 * Change role, status or enterprise mode of a user. Another role and suspension end all sessions.
 * @throws NOT_FOUND, USER_NOT_VERIFIED, ENFORCED_GLOBALLY
 * @throws LAST_ADMINISTRATOR, which is audited
 */
export async function updateUserAsAdministrator(
  services: AdministrationServices,
  context: RequestContext,
  id: string,
  change: AdminUserUpdate,
): Promise<UserAdministrationRow> {
  const { database, isEnterpriseEnforced } = services;
  const outcome = await runWithAdministratorLock(database, async (tx) => {
    await assertStillAuthorized(tx, context, 'admin:change-users', isEnterpriseEnforced);
    const user = await lockUserForAdministration(tx, id);
    if (!user) throw new ServiceError('NOT_FOUND');
    if (await wouldRemoveLastAdministrator(tx, user, change)) return 'LAST' as const;
    if (change.role && change.role !== user.role)
      await changeUserRole(services, context, tx, user, change.role);
    if (change.status) await changeUserStatus(context, tx, user, change.status);
    if (change.enterpriseMode !== undefined && change.enterpriseMode !== user.enterpriseMode)
      await changeUserEnterpriseMode(services, context, tx, user, change.enterpriseMode);
    return findUserForAdministration(tx, id);
  });
  if (outcome === 'LAST') {
    await recordLastAdministratorKept(services, context, id);
    throw new ServiceError('LAST_ADMINISTRATOR');
  }
  if (!outcome) throw new ServiceError('NOT_FOUND');
  services.mailOutbox.wake();
  return outcome;
}

/** End all sessions of a user. @throws NOT_FOUND */
export async function endUserSessions(
  { database }: AdministrationServices,
  context: RequestContext,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await lockUserForAdministration(tx, id))) throw new ServiceError('NOT_FOUND');
    await revokeUserAccess(tx, id, 'ENDED_BY_ADMINISTRATOR');
    await recordAuditEntry(tx, context, { resourceId: id });
  });
}

async function wouldRemoveLastAdministrator(
  tx: Tx,
  user: AdministeredUser,
  change: AdminUserUpdate,
): Promise<boolean> {
  if (user.role !== 'ADMIN' || !user.canLogIn) return false;
  const loses = (change.role && change.role !== 'ADMIN') || change.status === 'SUSPENDED';
  return Boolean(loses) && !(await hasOtherAdministrator(tx, user.id));
}

async function changeUserRole(
  services: AdministrationServices,
  context: RequestContext,
  tx: Tx,
  user: AdministeredUser,
  role: UserRole,
): Promise<void> {
  const status = user.previousStatus ?? user.status;
  if (status === 'PENDING_VERIFICATION') throw new ServiceError('USER_NOT_VERIFIED');
  await updateUserRole(tx, user.id, role);
  await revokeUserAccess(tx, user.id, 'ROLE_CHANGED');
  await services.events.publish(tx, 'role.changed', { userId: user.id, role });
  await recordAuditEntry(tx, context, { resourceId: user.id, changes: ['role'] });
}

async function changeUserStatus(
  context: RequestContext,
  tx: Tx,
  user: AdministeredUser,
  status: 'ACTIVE' | 'SUSPENDED',
): Promise<void> {
  const isSuspended = user.status === 'SUSPENDED';
  if ((status === 'SUSPENDED') === isSuspended) return;
  if (isSuspended) {
    // Rows suspended before previous_status existed may have a profile or not; VERIFIED asks for one.
    await updateUserStatus(tx, user.id, { status: user.previousStatus ?? 'VERIFIED', previousStatus: null });
  } else {
    await updateUserStatus(tx, user.id, { status, previousStatus: user.status });
    await revokeUserAccess(tx, user.id, 'SUSPENDED');
  }
  await recordAuditEntry(tx, context, {
    action: isSuspended ? 'USER_RESTORED' : 'USER_SUSPENDED',
    resourceId: user.id,
    changes: ['status'],
  });
}

async function changeUserEnterpriseMode(
  { isEnterpriseEnforced, mailOutbox }: AdministrationServices,
  context: RequestContext,
  tx: Tx,
  user: AdministeredUser,
  isOn: boolean,
): Promise<void> {
  if (isEnterpriseEnforced && !isOn) throw new ServiceError('ENFORCED_GLOBALLY');
  const action = await setEnterpriseModeAndNotify(mailOutbox, tx, user, isOn);
  await recordAuditEntry(tx, context, { action, resourceId: user.id, changes: ['enterpriseMode'] });
}

async function recordLastAdministratorKept(
  { database }: AdministrationServices,
  context: RequestContext,
  resourceId: string,
): Promise<void> {
  await database.transaction((tx) =>
    recordAuditEntry(tx, context, { action: 'LAST_ADMINISTRATOR_PROTECTED', outcome: 'DENIED', resourceId }),
  );
}
