import type { Caller } from '../../platform/caller.ts';
import { ServiceError } from '../../shared/errors.ts';
import { mayMail } from '../accounts/limit-mails.ts';
import { resendCode } from '../accounts/resend-code.ts';
import { findUser } from '../accounts/user.repository.ts';
import type { AdministrationServices } from './administration-services.ts';

/**
 * Mails new codes to somebody who has not confirmed their address. Throws NOT_FOUND, ADDRESS_CONFIRMED where nothing
 * waits, and RATE_LIMITED when the address has had its mails.
 */
export async function resendActivation(
  services: AdministrationServices,
  caller: Caller,
  id: string,
): Promise<void> {
  const person = await findUser(services.database.client, id);
  if (!person) throw new ServiceError('NOT_FOUND');
  const outcome = await services.database.transaction(async (tx) => {
    if (!(await mayMail(services, tx, person.email))) return 'TOO_MANY';
    return (await resendCode(services, caller, tx, person.email)) ? 'MAILED' : 'CONFIRMED';
  });
  if (outcome === 'TOO_MANY') throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: 15 * 60 });
  if (outcome === 'CONFIRMED') throw new ServiceError('ADDRESS_CONFIRMED');
  services.postOffice.wake();
}
