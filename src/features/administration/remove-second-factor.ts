import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import { demandStillAuthorized } from '../../platform/still-authorized.ts';
import { ServiceError } from '../../shared/errors.ts';
import { revokeAccess } from '../accounts/revoke-access.ts';
import { deleteSecondFactor, lockSecondFactor } from '../second-factor/second-factor.repository.ts';
import type { AdministrationServices } from './administration-services.ts';
import { lockPerson } from './administrator.repository.ts';

/**
 * Takes the second factor off somebody's account who lost phone and recovery codes, ends their sessions and tells them
 * by mail. Throws NOT_FOUND, MFA_NOT_ENABLED, and FORBIDDEN for the own account: that one asks for a code.
 */
export async function removeSecondFactor(
  services: AdministrationServices,
  caller: Caller,
  id: string,
): Promise<void> {
  if (caller.user?.id === id) {
    throw new ServiceError('FORBIDDEN', {
      detail: 'The own second factor is switched off with a code, or by another administrator.',
    });
  }
  await services.database.transaction(async (tx) => {
    await demandStillAuthorized(tx, caller, 'admin:change-users', services.enterpriseForAll);
    // The factor first, as a log-in does that is under way.
    const factor = await lockSecondFactor(tx, id);
    const person = await lockPerson(tx, id);
    if (!person) throw new ServiceError('NOT_FOUND');
    if (!factor?.isOn) throw new ServiceError('MFA_NOT_ENABLED');
    await deleteSecondFactor(tx, id);
    await revokeAccess(tx, id, 'SECOND_FACTOR_CHANGED');
    await services.postOffice.post(tx, { template: 'SECOND_FACTOR_REMOVED', to: person.email, values: {} });
    await services.notifySecondFactor(tx, id, false);
    await recordAction(tx, caller, { resourceId: id });
  });
  services.postOffice.wake();
}
