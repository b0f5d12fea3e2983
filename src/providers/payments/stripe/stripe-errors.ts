import type Stripe from 'stripe';
import { HOUR_SECONDS } from '../../../shared/durations.ts';
import { PaymentError, type PaymentProviderErrorCode } from '../payments.port.ts';

const MAX_RETRY_AFTER_SECONDS = HOUR_SECONDS;

export function toPaymentError(error: unknown): unknown {
  if (!isStripeError(error)) return error;
  return new PaymentError(
    getFailureCode(error),
    getFailureReason(error),
    parseRetryAfter(error.headers?.['retry-after'], Date.now()),
  );
}

/**
 * Check whether an idempotency key can no longer succeed: for a day Stripe replays its first error, even of a
 * request that had its effect, and rejects other parameters under it.
 */
export function isStripeIdempotencyKeyExhausted(error: unknown): boolean {
  if (!isStripeError(error)) return false;
  const isRepeated = error.headers?.['idempotent-replayed'] === 'true' && (error.statusCode ?? 0) >= 500;
  return isRepeated || error.type === 'StripeIdempotencyError';
}

export function isPaymentObjectNotFoundError(error: unknown): boolean {
  return error instanceof PaymentError && error.failure === 'ABSENT';
}

/** Check for a rejection, which may mean that the change was made before. */
export function isPaymentCallRefusedError(error: unknown): boolean {
  return error instanceof PaymentError && error.failure === 'REFUSED';
}

export async function nullIfPaymentObjectNotFound<Found>(
  result: Promise<Found | null>,
): Promise<Found | null> {
  try {
    return await result;
  } catch (error) {
    if (isPaymentObjectNotFoundError(error)) return null;
    throw error;
  }
}

function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && 'type' in error && /^Stripe\w*Error$/.test(String(error.type));
}

function getFailureCode({ code, statusCode = 0 }: Stripe.errors.StripeError): PaymentProviderErrorCode {
  if (code === 'resource_missing') return 'ABSENT';
  if (statusCode === 401 || statusCode === 403) return 'CREDENTIALS';
  // 409: a request with the same key is running.
  if (statusCode === 429 || statusCode === 409 || code === 'rate_limit') return 'BUSY';
  return statusCode >= 400 && statusCode < 500 ? 'REFUSED' : 'UNAVAILABLE';
}

function getFailureReason(error: Stripe.errors.StripeError): string {
  const { type, code } = error;
  if (type === 'StripeConnectionError') return isTimeoutError(error.detail) ? 'TIMEOUT' : 'CONNECTION';
  if (code !== undefined && /^\w{1,64}$/.test(code)) return code.toUpperCase();
  return type
    .replace(/^Stripe(\w+)Error$/, '$1')
    .replace(/(?<=[a-z])[A-Z]/g, '_$&')
    .toUpperCase();
}

function isTimeoutError(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return cause.name === 'TimeoutError' || Reflect.get(cause, 'code') === 'ETIMEDOUT';
}

/** Parse Retry-After, seconds or a date, to seconds. */
function parseRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER_SECONDS) : null;
}
