import { assertStillAuthorized } from '../../platform/assert-still-authorized.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import {
  deleteSecondFactor,
  lockSecondFactor,
  lockUserForAdministration,
  revokeUserAccess,
} from '../identity/index.ts';
import type { AdministrationServices } from './administration-services.ts';

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
    await deleteSecondFactor(tx, id);
    await revokeUserAccess(tx, id, 'SECOND_FACTOR_CHANGED');
    await services.mailOutbox.enqueue(tx, {
      template: 'SECOND_FACTOR_REMOVED',
      to: lockedUser.email,
      values: {},
    });
    await services.events.publish(tx, 'user.second-factor-changed', { userId: id, isEnabled: false });
    await recordAuditEntry(tx, context, { resourceId: id });
  });
  services.mailOutbox.wake();
}
