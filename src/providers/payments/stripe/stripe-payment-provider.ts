import type { PaymentProvider } from '../payments.port.ts';
import { createCheckoutMethods } from './checkouts.ts';
import { createCustomerMethods } from './customers.ts';
import { createEventMethods } from './event-reader.ts';
import { createInvoiceMethods } from './invoices.ts';
import { createPortalMethods } from './portal.ts';
import { createPriceMethods } from './prices.ts';
import { createStripeCall, loadStripe, type StripeLimits } from './stripe-client.ts';
import { isLiveKey } from './stripe-values.ts';
import { createSubscriptionChangeMethods } from './subscription-changes.ts';
import { createSubscriptionMethods } from './subscriptions.ts';

/** Where Stripe is, and how it and the service know each other. */
export interface StripeSettings {
  secretKey: string;
  /** Each signs events; there are several while one takes the place of another. */
  webhookSecrets: readonly string[];
  /** Https, but on loopback. */
  apiBase: string;
}

/** Of Stripe in earnest, in its test mode, and of what stands in for it: each knows nothing of what the others have. */
const [LIVE, TEST, SANDBOX] = ['stripe', 'stripe-test', 'sandbox'] as const;

/**
 * Sells by Stripe. Each call is over within 20 s whatever Stripe does, an item of a list within that time.
 * @param limits for tests: others than these
 */
export function createStripePaymentProvider(
  settings: StripeSettings & { isSandbox?: boolean },
  limits?: Partial<StripeLimits>,
): PaymentProvider {
  const callStripe = createStripeCall(settings.secretKey, settings.apiBase, limits);
  return {
    ...getProviderNames(settings),
    webhook: 'stripe',
    signatureHeader: 'stripe-signature',
    ...createCustomerMethods(callStripe),
    ...createPriceMethods(callStripe),
    ...createCheckoutMethods(callStripe),
    ...createSubscriptionMethods(callStripe),
    ...createSubscriptionChangeMethods(callStripe),
    ...createPortalMethods(callStripe),
    ...createInvoiceMethods(callStripe),
    ...createEventMethods(loadStripe, settings),
  };
}

function getProviderNames({
  secretKey,
  isSandbox,
}: StripeSettings & { isSandbox?: boolean }): Pick<PaymentProvider, 'name' | 'testModeProviders'> {
  if (isSandbox) return { name: SANDBOX, testModeProviders: [] };
  if (!isLiveKey(secretKey)) return { name: TEST, testModeProviders: [SANDBOX] };
  return { name: LIVE, testModeProviders: [SANDBOX, TEST] };
}
