import type { JobHandler } from '../../../platform/job-worker.ts';
import { PaymentError } from '../../../providers/payments/payments.port.ts';
import type { EnabledPaymentServices } from './payment-services.ts';
import { PAYMENT_SYNC_QUEUE } from './request-sync.use-case.ts';
import { syncPaymentObject } from './sync-object.ts';

/** Retries do not end, since a lost payment would cost money. */
const MAX_RETRY_SECONDS = 900;

/** Queue another job for what cannot be done now; a duplicate or late job finds nothing to do. */
export function createPaymentSyncJob(services: EnabledPaymentServices): JobHandler {
  const { database, jobs, payments, paymentRateLimiter, log } = services;
  /** Reasons logged since the provider last responded. */
  const loggedReasons = new Set<string>();

  return async ({ provider, objectId, tries }) => {
    if (provider !== payments.name || typeof objectId !== 'string') return;
    const count = typeof tries === 'string' ? Number(tries) : 0;
    const enqueueRetry = (seconds: number, triesSoFar: number) =>
      database.transaction((tx) =>
        jobs.enqueue(
          tx,
          PAYMENT_SYNC_QUEUE,
          { provider, objectId, tries: String(triesSoFar) },
          Math.ceil(seconds * (1 + Math.random() / 4)),
        ),
      );
    const backoffSeconds = paymentRateLimiter.getBackoffSeconds();
    if (backoffSeconds > 0) return enqueueRetry(backoffSeconds, count);
    try {
      const synced = await syncPaymentObject(services, objectId, 'payment-sync');
      if (synced.state === 'HELD') return enqueueRetry(synced.seconds + 1, count);
      paymentRateLimiter.recordSuccess();
      loggedReasons.clear();
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      logOnce(error);
      const isUnavailable = error.failure !== 'REFUSED' && error.failure !== 'ABSENT';
      if (isUnavailable) paymentRateLimiter.recordFailure(error.retryAfter);
      const pause = Math.min(MAX_RETRY_SECONDS, 2 ** Math.min(count + 1, 10));
      await enqueueRetry(Math.max(pause, error.retryAfter ?? 0), count + 1);
    }
  };

  function logOnce({ failure, reason }: PaymentError): void {
    if (loggedReasons.has(reason)) return;
    loggedReasons.add(reason);
    const what =
      failure === 'CREDENTIALS'
        ? 'the provider rejected STRIPE_SECRET_KEY; syncs are waiting'
        : 'the provider is unavailable; retrying, logged once';
    log.error({ failure, reason }, `payments: ${what} (${reason})`);
  }
}
