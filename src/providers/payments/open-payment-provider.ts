import type { PaymentProvider } from './payments.port.ts';
import { createStripePaymentProvider, type StripeSettings } from './stripe/stripe-payment-provider.ts';

export function openPaymentProvider(
  { billing, stripe }: { billing: 'stripe' | 'sandbox' | 'off'; stripe: StripeSettings | null },
  sandbox: StripeSettings | null,
): PaymentProvider | null {
  const settings = { stripe, sandbox, off: null }[billing];
  return settings && createStripePaymentProvider({ ...settings, isSandbox: billing === 'sandbox' });
}
