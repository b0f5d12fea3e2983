import type { PaymentProvider } from '../payments.port.ts';
import { createStripeCheckoutMethods } from './checkouts.ts';
import { createStripeCustomerMethods } from './customers.ts';
import { createStripeEventMethods } from './event-reader.ts';
import { createStripeInvoiceMethods } from './invoices.ts';
import { createStripePortalMethods } from './portal.ts';
import { createStripePriceMethods } from './prices.ts';
import { createStripeCall, loadStripeLibrary, type StripeCallLimits } from './stripe-client.ts';
import { isStripeLiveKey } from './stripe-values.ts';
import { createStripeSubscriptionChangeMethods } from './subscription-changes.ts';
import { createStripeSubscriptionMethods } from './subscriptions.ts';

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
  limits?: Partial<StripeCallLimits>,
): PaymentProvider {
  const callStripe = createStripeCall(settings.secretKey, settings.apiBase, limits);
  return {
    ...getProviderNames(settings),
    webhook: 'stripe',
    signatureHeader: 'stripe-signature',
    ...createStripeCustomerMethods(callStripe),
    ...createStripePriceMethods(callStripe),
    ...createStripeCheckoutMethods(callStripe),
    ...createStripeSubscriptionMethods(callStripe),
    ...createStripeSubscriptionChangeMethods(callStripe),
    ...createStripePortalMethods(callStripe),
    ...createStripeInvoiceMethods(callStripe),
    ...createStripeEventMethods(loadStripeLibrary, settings),
  };
}

function getProviderNames({
  secretKey,
  isSandbox,
}: StripeSettings & { isSandbox?: boolean }): Pick<PaymentProvider, 'name' | 'testModeProviders'> {
  if (isSandbox) return { name: SANDBOX, testModeProviders: [] };
  if (!isStripeLiveKey(secretKey)) return { name: TEST, testModeProviders: [SANDBOX] };
  return { name: LIVE, testModeProviders: [SANDBOX, TEST] };
}
