import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../../../platform/database.ts';
import { PaymentError } from '../../../providers/payments/payments.port.ts';
import type { PaymentServices } from './payment-services.ts';
import { requestSync, SYNC_QUEUE } from './request-sync.ts';
import { syncObject } from './sync-object.ts';

/** Milliseconds for which somebody waits for what they changed to be written; the job does it then. */
const TIMEOUT_MS = 5_000;
const POLL_INTERVAL_MS = 50;

/**
 * Makes the function that has a subscription of the provider written as it is there now, and its person told what changed
 * by that. It answers whether that is done: where it takes long it is only certain to be. `record` is part of the
 * transaction that makes it certain.
 */
export function createSyncNow(services: PaymentServices) {
  const { database, payments, jobs } = services;
  return async (id: string, record: (tx: Tx) => Promise<void>): Promise<boolean> => {
    if (!payments) throw new Error('Nothing is sold: there is nothing to look at.');
    const selling = { ...services, payments };
    await database.transaction(async (tx) => {
      await requestSync(tx, selling, [{ object: 'SUBSCRIPTION', id }]);
      await record(tx);
    });
    try {
      for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await sleep(POLL_INTERVAL_MS)) {
        const { state } = await syncObject(selling, id, 'payment-sync');
        // Held by somebody whose look may be older than the change: it is looked again after that.
        if (state !== 'HELD') return true;
      }
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
    }
    jobs.wake(SYNC_QUEUE);
    return false;
  };
}
