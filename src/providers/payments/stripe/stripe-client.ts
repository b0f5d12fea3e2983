import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import { createFetchWithLimits } from './fetch-with-limits.ts';
import { toPaymentError } from './stripe-errors.ts';

/** Milliseconds for everything that one call of the port does; a last wait of the library may add one second. */
const OPERATION_TIMEOUT_MS = 16_000;

/** Milliseconds for one request. */
const REQUEST_TIMEOUT_MS = 6_000;

/** How often the library tries a request again, each time under the idempotency key of the first. */
const MAX_RETRIES = 2;

/** How long something may take, in milliseconds, and how often it is tried again; for tests. */
export interface StripeLimits {
  operation: number;
  request: number;
  retries: number;
}

/** Does something with the library: in bounded time, and with a PaymentError for whatever goes wrong. */
export type StripeCall = <Result>(work: (stripe: Stripe) => Promise<Result>) => Promise<Result>;

const require = createRequire(import.meta.url);

/** The library, loaded when it is needed first: it is large. */
export function loadStripe(): typeof Stripe {
  return require('stripe');
}

/** The library's client for an address, in the version of the interface that the library is typed for. */
export function createStripeCall(
  secretKey: string,
  apiBase: string,
  limits: Partial<StripeLimits> = {},
): StripeCall {
  const {
    operation: timeout = OPERATION_TIMEOUT_MS,
    request = REQUEST_TIMEOUT_MS,
    retries = MAX_RETRIES,
  } = limits;
  const operation = new AsyncLocalStorage<AbortSignal>();
  let client: Stripe | undefined;
  const open = () => {
    const Library = loadStripe();
    return new Library(secretKey, {
      ...parseApiBase(apiBase),
      timeout: request,
      maxNetworkRetries: retries,
      telemetry: false,
      httpClient: Library.createFetchHttpClient(createFetchWithLimits(() => operation.getStore())),
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
