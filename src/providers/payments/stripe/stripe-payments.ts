import type { PaymentProvider } from '../payments.port.ts';
import { createChanges } from './changes.ts';
import { createCheckouts } from './checkouts.ts';
import { createCustomers } from './customers.ts';
import { createInvoices } from './invoices.ts';
import { createPortal } from './portal.ts';
import { createPrices } from './prices.ts';
import { createEventReader } from './read-event.ts';
import { createAsk, type Limits, loadStripe } from './stripe-client.ts';
import { isLive } from './stripe-values.ts';
import { createSubscriptions } from './subscriptions.ts';

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
export function createStripePayments(
  settings: StripeSettings & { isSandbox?: boolean },
  limits?: Partial<Limits>,
): PaymentProvider {
  const ask = createAsk(settings.secretKey, settings.apiBase, limits);
  return {
    ...namesOf(settings),
    webhook: 'stripe',
    signatureHeader: 'stripe-signature',
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

function namesOf({
  secretKey,
  isSandbox,
}: StripeSettings & { isSandbox?: boolean }): Pick<PaymentProvider, 'name' | 'rehearsals'> {
  if (isSandbox) return { name: SANDBOX, rehearsals: [] };
  if (!isLive(secretKey)) return { name: TEST, rehearsals: [SANDBOX] };
  return { name: LIVE, rehearsals: [SANDBOX, TEST] };
}
