import { consumeAttempts, tryConsumeAttempt } from '../../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import type { AccountServices } from './account-services.ts';

/** Twenty mails an hour by one address of the network, whoever they go to. Throws RATE_LIMITED. */
export async function consumeMailQuota(services: AccountServices, context: RequestContext): Promise<void> {
  const key = `mails-of:${services.fieldCipher.hash('mails-of-address', context.address).toString('hex')}`;
  const allowed = Math.ceil(20 * services.rateLimitScale);
  await services.database.transaction((tx) => consumeAttempts(tx, [{ key, allowed, windowSeconds: 3600 }]));
}

/**
 * Whether one more mail may go to an address: three in a quarter of an hour. Kept by a keyed hash of the
 * address, known or not; a registration beyond that is answered as always, and nothing is mailed.
 */
export async function tryConsumeEmailAddressMailQuota(
  { fieldCipher }: AccountServices,
  tx: Tx,
  email: string,
): Promise<boolean> {
  const key = `mail:${fieldCipher.hash('mail-budget', email).toString('hex')}`;
  return tryConsumeAttempt(tx, { key, allowed: 3, windowSeconds: 15 * 60 });
}
