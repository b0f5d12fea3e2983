import { reserveTries } from '../../platform/attempt-budget.repository.ts';
import type { Caller } from '../../platform/caller.ts';
import type { AccountServices } from './account-services.ts';

/** Twenty mails an hour by one address of the network, whoever they go to. Throws RATE_LIMITED. */
export async function limitMailsOf(services: AccountServices, caller: Caller): Promise<void> {
  const key = `mails-of:${services.vault.hash('mails-of-address', caller.address).toString('hex')}`;
  const allowed = Math.ceil(20 * services.rateLimitScale);
  await services.database.transaction((tx) => reserveTries(tx, [{ key, allowed, windowSeconds: 3600 }]));
}
