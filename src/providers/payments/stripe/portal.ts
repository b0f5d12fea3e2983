import type Stripe from 'stripe';
import type { PaymentProvider } from '../payments.port.ts';
import type { StripeCall } from './stripe-client.ts';
import { isPaymentCallRefusedError } from './stripe-errors.ts';
import { toStripeLocale } from './stripe-values.ts';

const CONFIGURATION_METADATA = { madeFor: 'invoices-and-payment-methods' };

const PORTAL_CONFIGURATION: Stripe.BillingPortal.ConfigurationCreateParams = {
  features: {
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    customer_update: { enabled: true, allowed_updates: ['address', 'tax_id'] },
  },
  metadata: CONFIGURATION_METADATA,
};

export function createStripePortalMethods(callStripe: StripeCall): Pick<PaymentProvider, 'openPortal'> {
  return {
    openPortal: (customerId, returnUrl, language) =>
      callStripe(async (stripe) => {
        const details = { customer: customerId, return_url: returnUrl, locale: toStripeLocale(language) };
        const open = (overrides: { configuration?: string }) =>
          callStripe(
            async () => (await stripe.billingPortal.sessions.create({ ...details, ...overrides })).url,
          );
        try {
          return await open({});
        } catch (error) {
          if (!isPaymentCallRefusedError(error)) throw error;
          // An account whose owner never saved portal settings has no default configuration.
          return open({ configuration: await ensurePortalConfiguration(stripe) });
        }
      }),
  };
}

async function ensurePortalConfiguration(stripe: Stripe): Promise<string> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const existing = data.find(({ metadata }) => metadata?.madeFor === CONFIGURATION_METADATA.madeFor);
  return (existing ?? (await stripe.billingPortal.configurations.create(PORTAL_CONFIGURATION))).id;
}
