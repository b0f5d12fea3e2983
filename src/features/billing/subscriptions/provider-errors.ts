import { PaymentError } from '../../../providers/payments/payments.port.ts';
import { ServiceError } from '../../../shared/errors.ts';

/** Seconds to wait for a provider that does not say how long. */
const DEFAULT_RETRY_AFTER_SECONDS = 5;

/**
 * What the work with a payment provider answers. Throws PROVIDER_UNAVAILABLE where it is away or knows this service no
 * longer, PAYMENT_DECLINED where it does not do what it was asked.
 */
export async function callPaymentProvider<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PaymentError ? toServiceError(error) : error;
  }
}

/** Whether the provider has answered, and does not do what it was asked. */
export function isPaymentRejected(error: unknown): boolean {
  return error instanceof PaymentError && (error.failure === 'REFUSED' || error.failure === 'ABSENT');
}

function toServiceError(cause: PaymentError): ServiceError {
  if (isPaymentRejected(cause)) return new ServiceError('PAYMENT_DECLINED', { cause });
  return new ServiceError('PROVIDER_UNAVAILABLE', {
    retryAfterSeconds: cause.retryAfter ?? DEFAULT_RETRY_AFTER_SECONDS,
    cause,
  });
}
