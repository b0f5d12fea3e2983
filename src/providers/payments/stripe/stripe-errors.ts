import type Stripe from 'stripe';
import { PaymentError, type PaymentFailureCode } from '../payments.port.ts';

/** Seconds that are waited at most. */
const MAX_RETRY_AFTER_SECONDS = 60 * 60;

/** What a PaymentError is made of an error of the library; any other error stays what it is. */
export function toPaymentError(error: unknown): unknown {
  if (!isStripeError(error)) return error;
  return new PaymentError(
    getFailureCode(error),
    getFailureReason(error),
    parseRetryAfter(error.headers?.['retry-after'], Date.now()),
  );
}

/**
 * Whether the idempotency key is used up, without an answer that is of use: for a day Stripe repeats the failure that
 * an earlier request under it met, whether or not that one had its effect, and refuses what asks for anything else, such as
 * a language that was changed since.
 */
export function isIdempotencyKeyExhausted(error: unknown): boolean {
  if (!isStripeError(error)) return false;
  const isRepeated = error.headers?.['idempotent-replayed'] === 'true' && (error.statusCode ?? 0) >= 500;
  return isRepeated || error.type === 'StripeIdempotencyError';
}

/** Whether Stripe knows no such object. */
export function isNotFoundError(error: unknown): boolean {
  return error instanceof PaymentError && error.failure === 'ABSENT';
}

/** Whether Stripe would not do what it was asked, which may be because it is done already. */
export function isRefusedError(error: unknown): boolean {
  return error instanceof PaymentError && error.failure === 'REFUSED';
}

/** What was asked for; null where Stripe knows no such object. */
export async function nullIfNotFound<Found>(result: Promise<Found | null>): Promise<Found | null> {
  try {
    return await result;
  } catch (error) {
    if (isNotFoundError(error)) return null;
    throw error;
  }
}

function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && 'type' in error && /^Stripe\w*Error$/.test(String(error.type));
}

function getFailureCode({ code, statusCode = 0 }: Stripe.errors.StripeError): PaymentFailureCode {
  if (code === 'resource_missing') return 'ABSENT';
  if (statusCode === 401 || statusCode === 403) return 'CREDENTIALS';
  // 409: another request under the same key is under way.
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

/** Seconds of a Retry-After, which may also be a time. */
function parseRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER_SECONDS) : null;
}
