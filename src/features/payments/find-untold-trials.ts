import { listUntoldTrials } from './paid-subscription.repository.ts';
import type { SellingServices } from './payment-services.ts';
import { TRIAL_NOTICE } from './subscription-state.rules.ts';
import { SYNC_QUEUE, wantLook } from './want-look.ts';

/** Subscriptions looked for by one statement. */
const BATCH = 500;

/**
 * Has subscriptions looked at whose trial ends soon and whose people were not told: nothing of the row changes by that, and
 * of its one event nothing would be heard where it was lost.
 */
export async function findUntoldTrials(services: SellingServices): Promise<void> {
  const { database, jobs, payments } = services;
  const before = new Date(Date.now() + TRIAL_NOTICE);
  for (let after: string | undefined = ''; after !== undefined; ) {
    const place = { before, after, limit: BATCH };
    const ids: string[] = await listUntoldTrials(database.client, payments.name, place);
    const subjects = ids.map((id) => ({ object: 'SUBSCRIPTION' as const, id }));
    await database.transaction((tx) => wantLook(tx, services, subjects));
    after = ids.at(-1);
  }
  jobs.wake(SYNC_QUEUE);
}
