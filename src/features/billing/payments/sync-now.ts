import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../../../platform/database.ts';
import { PaymentError } from '../../../providers/payments/payments.port.ts';
import type { PaymentServices } from './payment-services.ts';
import { requestSync, SYNC_QUEUE } from './request-sync.ts';
import { syncObject } from './sync-object.ts';

/** Maximum wait of a request for its change to be synced; the job syncs it afterwards. */
const TIMEOUT_MS = 5_000;
const POLL_INTERVAL_MS = 50;

/**
 * Create a function that syncs a subscription at once and notifies its user. It resolves to false when the
 * sync takes too long and is left to the job. `record` runs in the transaction that requests the sync.
 */
export function createSyncNow(services: PaymentServices) {
  const { database, payments, jobs } = services;
  return async (id: string, record: (tx: Tx) => Promise<void>): Promise<boolean> => {
    if (!payments) throw new Error('Billing is disabled.');
    const selling = { ...services, payments };
    await database.transaction(async (tx) => {
      await requestSync(tx, selling, [{ object: 'SUBSCRIPTION', id }]);
      await record(tx);
    });
    try {
      for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await sleep(POLL_INTERVAL_MS)) {
        const { state } = await syncObject(selling, id, 'payment-sync');
        // A sync that already runs may have read the state before the change.
        if (state !== 'HELD') return true;
      }
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
    }
    jobs.wake(SYNC_QUEUE);
    return false;
  };
}
