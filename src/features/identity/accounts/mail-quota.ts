import { consumeAttempts, tryConsumeAttempt } from '../../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import type { AccountServices } from './account-services.ts';

/** Consume one of 20 mails per hour and network address. @throws RATE_LIMITED */
export async function consumeIpAddressMailQuota(
  services: AccountServices,
  context: RequestContext,
): Promise<void> {
  const key = `mails-of:${services.fieldCipher.hash('mails-of-address', context.address).toString('hex')}`;
  const allowed = Math.ceil(20 * services.rateLimitScale);
  await services.database.transaction((tx) => consumeAttempts(tx, [{ key, allowed, windowSeconds: 3600 }]));
}

/** Consume one of 3 mails per 15 minutes, for known and unknown addresses alike; false when none is left. */
export async function tryConsumeEmailAddressMailQuota(
  { fieldCipher }: AccountServices,
  tx: Tx,
  email: string,
): Promise<boolean> {
  const key = `mail:${fieldCipher.hash('mail-budget', email).toString('hex')}`;
  return tryConsumeAttempt(tx, { key, allowed: 3, windowSeconds: 15 * 60 });
}
