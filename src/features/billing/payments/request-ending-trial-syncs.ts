import { listUnnotifiedTrials } from './paid-subscription.repository.ts';
import type { EnabledPaymentServices } from './payment-services.ts';
import { requestSync, SYNC_QUEUE } from './request-sync.ts';
import { TRIAL_NOTICE_MS } from './subscription-state.rules.ts';

const BATCH_SIZE = 500;

/**
 * Request syncs of trials that end soon and whose users were not notified: the end changes nothing in the
 * row, and the provider's one event may be lost.
 */
export async function requestEndingTrialSyncs(services: EnabledPaymentServices): Promise<void> {
  const { database, jobs, payments } = services;
  const before = new Date(Date.now() + TRIAL_NOTICE_MS);
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = { before, after, limit: BATCH_SIZE };
    const ids: string[] = await listUnnotifiedTrials(database.client, payments.name, page);
    const subjects = ids.map((id) => ({ object: 'SUBSCRIPTION' as const, id }));
    await database.transaction((tx) => requestSync(tx, services, subjects));
    after = ids.at(-1);
  }
  jobs.wake(SYNC_QUEUE);
}
