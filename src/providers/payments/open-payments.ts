import type { PaymentProvider } from './payments.port.ts';
import { createStripePayments, type StripeSettings } from './stripe/stripe-payments.ts';

/** What sells packages, as the settings say; null where nothing is sold, or the sandbox does not run. */
export function openPayments(
  { billing, stripe }: { billing: 'stripe' | 'sandbox' | 'off'; stripe: StripeSettings | null },
  sandbox: StripeSettings | null,
): PaymentProvider | null {
  const settings = { stripe, sandbox, off: null }[billing];
  return settings && createStripePayments({ ...settings, isSandbox: billing === 'sandbox' });
}
