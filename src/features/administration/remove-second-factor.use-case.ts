import { assertStillAuthorized } from '../../platform/assert-still-authorized.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import {
  deleteSecondFactor,
  findUserForAdministrationByEmail,
  lockSecondFactor,
  lockUserForAdministration,
  revokeUserAccess,
} from '../identity/index.ts';
import type { AdministrationServices } from './administration-services.ts';
import { recordRoleChange } from './change-administrators.use-case.ts';

/**
 * Remove the second factor of a user who lost phone and recovery codes, end their sessions and notify them by mail.
 * @throws NOT_FOUND, MFA_NOT_ENABLED
 * @throws FORBIDDEN for the administrator's own account
 */
export async function removeUserSecondFactor(
  services: AdministrationServices,
  context: RequestContext,
  id: string,
): Promise<void> {
  if (context.user?.id === id) {
    throw new ServiceError('FORBIDDEN', {
      detail:
        'You cannot remove your own second factor. Disable it with a code, or ask another administrator.',
    });
  }
  await services.database.transaction(async (tx) => {
    await assertStillAuthorized(tx, context, 'admin:change-users', services.isEnterpriseEnforced);
    // Lock the factor before the user, as a login does.
    const factor = await lockSecondFactor(tx, id);
    const lockedUser = await lockUserForAdministration(tx, id);
    if (!lockedUser) throw new ServiceError('NOT_FOUND');
    if (!factor?.isOn) throw new ServiceError('MFA_NOT_ENABLED');
    await deleteSecondFactorAndNotify(services, tx, lockedUser);
    await recordAuditEntry(tx, context, { resourceId: id });
  });
  services.mailOutbox.wake();
}

/** The same on the machine itself, where the last administrator has no other to ask. */
export async function removeSecondFactorByEmail(
  services: Pick<AdministrationServices, 'database' | 'mailOutbox' | 'events'>,
  email: string,
): Promise<'REMOVED' | 'NO_ACCOUNT' | 'NOT_ENABLED'> {
  const outcome = await services.database.transaction(async (tx) => {
    const user = await findUserForAdministrationByEmail(tx, email);
    const factor = user && (await lockSecondFactor(tx, user.id));
    const lockedUser = user && (await lockUserForAdministration(tx, user.id));
    if (!lockedUser) return 'NO_ACCOUNT';
    if (!factor?.isOn) return 'NOT_ENABLED';
    await deleteSecondFactorAndNotify(services, tx, lockedUser);
    await recordRoleChange(tx, 'MFA_REMOVED', lockedUser.id, 'admin remove-second-factor', ['secondFactor']);
    return 'REMOVED' as const;
  });
  services.mailOutbox.wake();
  return outcome;
}

async function deleteSecondFactorAndNotify(
  { mailOutbox, events }: Pick<AdministrationServices, 'mailOutbox' | 'events'>,
  tx: Tx,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await deleteSecondFactor(tx, id);
  await revokeUserAccess(tx, id, 'SECOND_FACTOR_CHANGED');
  await mailOutbox.enqueue(tx, { template: 'SECOND_FACTOR_REMOVED', to: email, values: {} });
  await events.publish(tx, 'second_factor.disabled', { userId: id });
}
