import type { Database, Tx } from '../../../platform/database.ts';
import { PaymentError } from '../../../providers/payments/payments.port.ts';
import type { PaymentServices } from './payment-services.ts';
import { PAYMENT_SYNC_QUEUE, requestPaymentSyncs } from './request-sync.use-case.ts';
import { getPaymentSyncTopic, syncPaymentObject } from './sync-object.ts';

/** The job syncs the change after this wait of a request. */
const TIMEOUT_MS = 5_000;

/** For a sync of another process, whose commits are not seen here. */
const CHECK_INTERVAL_MS = 1_000;

/** False when the sync is left to the job. `record` runs in the transaction that requests the sync. */
export function createSyncSubscriptionNow(services: PaymentServices) {
  const { database, payments, jobs } = services;
  return async (id: string, record: (tx: Tx) => Promise<void>): Promise<boolean> => {
    if (!payments) throw new Error('Billing is disabled.');
    const selling = { ...services, payments };
    await database.transaction(async (tx) => {
      await requestPaymentSyncs(tx, selling, [{ object: 'SUBSCRIPTION', id }]);
      await record(tx);
    });
    const commits = watchCommits(database, getPaymentSyncTopic(id));
    try {
      for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await commits.next(CHECK_INTERVAL_MS)) {
        const { state } = await syncPaymentObject(selling, id, 'payment-sync');
        // A sync that already runs may have read the state before the change.
        if (state !== 'HELD') return true;
      }
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
    } finally {
      commits.stop();
    }
    jobs.wake(PAYMENT_SYNC_QUEUE);
    return false;
  };
}

/** Wait for commits of a topic; one between two waits ends the next one at once. */
function watchCommits({ onCommit }: Pick<Database, 'onCommit'>, topic: string) {
  let isCommitted = false;
  let wake = () => {};
  const stop = onCommit((topics) => {
    if (!topics.has(topic)) return;
    isCommitted = true;
    wake();
  });
  return {
    stop,
    async next(timeoutMs: number): Promise<void> {
      if (!isCommitted)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      isCommitted = false;
    },
  };
}
