import type { JobHandler } from '../../../platform/job-worker.ts';
import { PaymentError } from '../../../providers/payments/payments.port.ts';
import type { EnabledPaymentServices } from './payment-services.ts';
import { SYNC_QUEUE } from './request-sync.ts';
import { syncObject } from './sync-object.ts';

/** Seconds before an object is tried again at most; there is no last try, since money has none. */
const MAX_RETRY_SECONDS = 900;

/**
 * Has one object of a payment provider looked at, by its id in the job. While the provider is away or wants to be left
 * alone nothing is tried, and whatever cannot be done now is a further job, later: none is ever given up. A job that comes
 * twice, or late, finds nothing to do.
 */
export function createSyncPaymentJob(services: EnabledPaymentServices): JobHandler {
  const { database, jobs, payments, paymentRateLimiter, log } = services;
  /** Reasons that the log has heard since the provider answered. */
  const loggedReasons = new Set<string>();

  return async ({ provider, objectId, tries }) => {
    if (provider !== payments.name || typeof objectId !== 'string') return;
    const count = typeof tries === 'string' ? Number(tries) : 0;
    const enqueueRetry = (seconds: number, triesSoFar: number) =>
      database.transaction((tx) =>
        jobs.enqueue(
          tx,
          SYNC_QUEUE,
          { provider, objectId, tries: String(triesSoFar) },
          Math.ceil(seconds * (1 + Math.random() / 4)),
        ),
      );
    const backoffSeconds = paymentRateLimiter.getBackoffSeconds();
    if (backoffSeconds > 0) return enqueueRetry(backoffSeconds, count);
    try {
      const synced = await syncObject(services, objectId, 'payment-sync');
      if (synced.state === 'HELD') return enqueueRetry(synced.seconds + 1, count);
      paymentRateLimiter.recordSuccess();
      loggedReasons.clear();
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      say(error);
      const isAway = error.failure !== 'REFUSED' && error.failure !== 'ABSENT';
      if (isAway) paymentRateLimiter.recordFailure(error.retryAfter);
      const pause = Math.min(MAX_RETRY_SECONDS, 2 ** Math.min(count + 1, 10));
      await enqueueRetry(Math.max(pause, error.retryAfter ?? 0), count + 1);
    }
  };

  function say({ failure, reason }: PaymentError): void {
    if (loggedReasons.has(reason)) return;
    loggedReasons.add(reason);
    const what =
      failure === 'CREDENTIALS'
        ? 'the provider does not accept STRIPE_SECRET_KEY; what it told of waits'
        : 'the provider did not answer; tried again, said once until it does';
    log.error({ failure, reason }, `payments: ${what} (${reason})`);
  }
}
