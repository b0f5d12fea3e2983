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

export interface StripeSettings {
  secretKey: string;
  /** Several while one replaces another. */
  webhookSecrets: readonly string[];
  /** HTTPS, or HTTP on loopback. */
  apiBase: string;
}

/** Live mode, test mode and the emulator have separate data. */
const [LIVE, TEST, SANDBOX] = ['stripe', 'stripe-test', 'sandbox'] as const;

/** Create a provider for Stripe; each call, and each item of a list, takes 20 s at most. */
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
