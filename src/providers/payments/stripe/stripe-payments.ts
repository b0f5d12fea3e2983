import type { PaymentProvider } from '../payments.port.ts';
import { createChanges } from './changes.ts';
import { createCheckouts } from './checkouts.ts';
import { createCustomers } from './customers.ts';
import { createInvoices } from './invoices.ts';
import { createPortal } from './portal.ts';
import { createPrices } from './prices.ts';
import { createEventReader } from './read-event.ts';
import { createAsk, type Limits, loadStripe } from './stripe-client.ts';
import { createSubscriptions } from './subscriptions.ts';

/** Where Stripe is, and how it and the service know each other. */
export interface StripeSettings {
  secretKey: string;
  /** Each signs events; there are several while one takes the place of another. */
  webhookSecrets: readonly string[];
  /** Https, but on loopback. */
  apiBase: string;
}

/**
 * Sells by Stripe. Each call is over within 20 s whatever Stripe does, an item of a list within that time.
 * @param limits for tests: others than these
 */
export function createStripePayments(
  settings: StripeSettings & { isSandbox?: boolean },
  limits?: Partial<Limits>,
): PaymentProvider {
  const ask = createAsk(settings.secretKey, settings.apiBase, limits);
  return {
    name: 'stripe',
    signatureHeader: 'stripe-signature',
    isSandbox: settings.isSandbox ?? false,
    ...createCustomers(ask),
    ...createPrices(ask),
    ...createCheckouts(ask),
    ...createSubscriptions(ask),
    ...createChanges(ask),
    ...createPortal(ask),
    ...createInvoices(ask),
    ...createEventReader(loadStripe, settings),
  };
}
