import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findUser, resendOtp, tryConsumeEmailAddressMailQuota } from '../identity/index.ts';
import type { AdministrationServices } from './administration-services.ts';

/**
 * Mail a new code to a user whose address is not verified.
 * @throws NOT_FOUND, EMAIL_ALREADY_VERIFIED, RATE_LIMITED
 */
export async function resendEmailVerificationOtp(
  services: AdministrationServices,
  context: RequestContext,
  id: string,
): Promise<void> {
  const user = await findUser(services.database.client, id);
  if (!user) throw new ServiceError('NOT_FOUND');
  const outcome = await services.database.transaction(async (tx) => {
    if (!(await tryConsumeEmailAddressMailQuota(services, tx, context, user.email))) return 'TOO_MANY';
    const recipient = { email: user.email, scope: 'ALL_NETWORKS' } as const;
    return (await resendOtp(services, context, tx, recipient)) ? 'MAILED' : 'CONFIRMED';
  });
  if (outcome === 'TOO_MANY') throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: 15 * 60 });
  if (outcome === 'CONFIRMED') throw new ServiceError('EMAIL_ALREADY_VERIFIED');
  services.mailOutbox.wake();
}
