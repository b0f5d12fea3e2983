import type { JobHandler } from '../../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../../platform/jobs.ts';
import { PaymentError } from '../../../providers/payments/payments.port.ts';
import { MAX_RECONCILED_INVOICE_AGE_DAYS } from '../../../shared/lifetimes.ts';
import type { EnabledPaymentServices } from './payment-services.ts';
import { finishPaymentReconciliation, tryStartPaymentReconciliation } from './payment-sync.repository.ts';
import { reconcilePayments } from './reconcile-payments.use-case.ts';
import { requestEndingTrialSyncs, requeueLostPaymentSyncs } from './request-sync.use-case.ts';

export const PAYMENT_RECONCILIATION_QUEUE: JobQueueDefinition = {
  name: 'payment-reconcile',
  expireInSeconds: 3_000,
  retryLimit: 2,
  retryDelay: 60,
};

/** Less than a day, so that a long run does not start later each day. */
const INTERVAL_HOURS = 23;

/** Below the limit after which the job counts as lost; the next hour starts again. */
const MAX_DURATION_MS = 2_700_000;

const MAX_LOGGED_DIFFERENCES = 20;

export function createPaymentReconciliationJob(services: EnabledPaymentServices): JobHandler {
  const { payments, database, log } = services;
  return async () => {
    await requeueLostPaymentSyncs(services);
    await requestEndingTrialSyncs(services);
    if (!(await tryStartPaymentReconciliation(database.client, payments.name, INTERVAL_HOURS))) return;
    let logged = 0;
    try {
      const { isComplete, different, repaired } = await reconcilePayments(services, {
        invoiceDays: MAX_RECONCILED_INVOICE_AGE_DAYS,
        isDryRun: false,
        signal: AbortSignal.timeout(MAX_DURATION_MS),
        onProgress() {},
        onDifference({ object, id, fields, isRepaired }) {
          logged += 1;
          if (logged > MAX_LOGGED_DIFFERENCES) return;
          const names = fields.map(({ field }) => field);
          log.warn({ object, id, fields: names, isRepaired }, 'payments: a row differed from the provider');
        },
      });
      if (different > 0) log.warn({ different, repaired }, 'payments: reconciled with the provider');
      if (isComplete) await finishPaymentReconciliation(database.client, payments.name);
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      const { failure, reason } = error;
      log.error({ failure, reason }, `payments: reconciliation failed, retrying in an hour (${reason})`);
    }
  };
}
