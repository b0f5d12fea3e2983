import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { PaymentError } from '../../providers/payments/payments.port.ts';
import { findLostLooks } from './find-lost-looks.ts';
import { findUntoldTrials } from './find-untold-trials.ts';
import { beginReconciliation, finishReconciliation } from './payment-reconciliation.repository.ts';
import type { SellingServices } from './payment-services.ts';
import { reconcilePayments } from './reconcile-payments.ts';

/** The queue of the comparison with the payment provider: asked every hour, done once a day. */
export const RECONCILE_QUEUE: JobQueueDefinition = {
  name: 'payment-reconcile',
  expireInSeconds: 3_000,
  retryLimit: 2,
  retryDelay: 60,
};

/** A little less than a day: one that takes long does not come later every day. */
const EVERY_HOURS = 23;

/** Days of invoices that are compared: one is refunded or disputed for months. */
export const INVOICE_DAYS = 120;

/** Well before the job counts as lost; the next hour begins again. */
const LONGEST_MS = 2_700_000;

/** Lines of the log on what differed, at most. */
const TOLD = 20;

/** Has lost looks and trials that end soon found every hour, and everything compared with the provider once a day. */
export function reconcileJob(services: SellingServices): JobHandler {
  const { payments, database, log } = services;
  return async () => {
    await findLostLooks(services);
    await findUntoldTrials(services);
    if (!(await beginReconciliation(database.client, payments.name, EVERY_HOURS))) return;
    let told = 0;
    try {
      const { isWhole, different, mended } = await reconcilePayments(services, {
        invoiceDays: INVOICE_DAYS,
        isDry: false,
        signal: AbortSignal.timeout(LONGEST_MS),
        progress() {},
        onDifference({ object, id, fields, isMended }) {
          told += 1;
          if (told > TOLD) return;
          const names = fields.map(({ field }) => field);
          log.warn({ object, id, fields: names, isMended }, 'payments: a row was not what the provider says');
        },
      });
      if (different > 0) log.warn({ different, mended }, 'payments: compared with the provider');
      if (isWhole) await finishReconciliation(database.client, payments.name);
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      const { failure, reason } = error;
      log.error(
        { failure, reason },
        `payments: not compared with the provider, tried again in an hour (${reason})`,
      );
    }
  };
}
