import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import { readBodyWithLimit } from '../../../shared/read-body-with-limit.ts';
import { toPaymentError } from './stripe-errors.ts';

/** For all requests of one call of the port; the library's last wait may add one second. */
const OPERATION_TIMEOUT_MS = 16_000;

const REQUEST_TIMEOUT_MS = 6_000;

/** Retries of the library, with the first request's idempotency key. */
const MAX_RETRIES = 2;

/** For tests; timeouts are in milliseconds. */
export interface StripeCallLimits {
  operation: number;
  request: number;
  retries: number;
}

/** Keeps the time limit and maps errors to PaymentError. */
export type StripeCall = <Result>(work: (stripe: Stripe) => Promise<Result>) => Promise<Result>;

const require = createRequire(import.meta.url);

/** Load the large library on first use. */
export function loadStripeLibrary(): typeof Stripe {
  return require('stripe');
}

export function createStripeCall(
  secretKey: string,
  apiBase: string,
  limits: Partial<StripeCallLimits> = {},
): StripeCall {
  const {
    operation: timeout = OPERATION_TIMEOUT_MS,
    request = REQUEST_TIMEOUT_MS,
    retries = MAX_RETRIES,
  } = limits;
  const operation = new AsyncLocalStorage<AbortSignal>();
  let client: Stripe | undefined;
  const open = () => {
    const Library = loadStripeLibrary();
    return new Library(secretKey, {
      ...parseApiBase(apiBase),
      timeout: request,
      maxNetworkRetries: retries,
      telemetry: false,
      httpClient: Library.createFetchHttpClient(createStrictStripeFetch(() => operation.getStore())),
    });
  };

  return async (work) => {
    const signal = operation.getStore() ?? AbortSignal.timeout(timeout);
    try {
      client ??= open();
      const stripe = client;
      return await operation.run(signal, () => work(stripe));
    } catch (error) {
      throw toPaymentError(error);
    }
  };
}

function parseApiBase(apiBase: string): { host: string; port: string; protocol: 'http' | 'https' } {
  const { protocol, hostname, port } = new URL(apiBase);
  return protocol === 'http:'
    ? { host: hostname, port: port || '80', protocol: 'http' }
    : { host: hostname, port: port || '443', protocol: 'https' };
}

/** A page of a hundred invoices has about one million bytes. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Replaces errors that are not Stripe's: without an error type the library reports a success. */
const NON_STRIPE_ERROR_BODY = JSON.stringify({ error: { type: 'api_error', code: 'unreadable_answer' } });

/** Create a fetch without redirects that accepts only complete Stripe responses. @throws without a response */
function createStrictStripeFetch(getSignal: () => AbortSignal | undefined): typeof fetch {
  return async (url, init = {}) => {
    const signals = [init.signal, getSignal()].filter((signal) => signal != null);
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) });
    const { status, headers } = response;
    const text = (await readBodyWithLimit(MAX_RESPONSE_BYTES, response.body)).toString();
    const answer = parseJson(text);
    if (status >= 400)
      return new Response(hasTruthyProperty(answer, 'error') ? text : NON_STRIPE_ERROR_BODY, {
        status,
        headers,
      });
    // All Stripe responses have the field `object`.
    if (status !== 200 || !hasTruthyProperty(answer, 'object'))
      throw new Error(`invalid response, status ${status}`);
    return new Response(text, { status, headers });
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function hasTruthyProperty(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Boolean(Reflect.get(value, name));
}
