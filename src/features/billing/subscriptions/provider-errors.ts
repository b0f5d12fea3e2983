import { PaymentError } from '../../../providers/payments/payments.port.ts';
import { ServiceError } from '../../../shared/errors.ts';

/** For a provider that does not send Retry-After. */
const DEFAULT_RETRY_AFTER_SECONDS = 5;

/** @throws PROVIDER_UNAVAILABLE, also for invalid credentials; PAYMENT_DECLINED when the call is rejected */
export async function callPaymentProvider<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PaymentError ? toServiceError(error) : error;
  }
}

export function isPaymentProviderRejection(error: unknown): boolean {
  return error instanceof PaymentError && (error.failure === 'REFUSED' || error.failure === 'ABSENT');
}

function toServiceError(cause: PaymentError): ServiceError {
  if (isPaymentProviderRejection(cause)) return new ServiceError('PAYMENT_DECLINED', { cause });
  return new ServiceError('PROVIDER_UNAVAILABLE', {
    retryAfterSeconds: cause.retryAfter ?? DEFAULT_RETRY_AFTER_SECONDS,
    cause,
  });
}
