import type Stripe from 'stripe';
import type { PaymentProvider } from '../payments.port.ts';
import type { Ask } from './stripe-client.ts';
import { isRefused } from './stripe-failure.ts';
import { localeOf } from './stripe-values.ts';

/** By which the service knows the settings that it made. */
const MARK = { madeFor: 'invoices-and-payment-methods' };

const SETTINGS: Stripe.BillingPortal.ConfigurationCreateParams = {
  features: {
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    customer_update: { enabled: true, allowed_updates: ['address', 'tax_id'] },
  },
  metadata: MARK,
};

/** Pages on which a person sees their invoices and changes how they pay. */
export function createPortal(ask: Ask): Pick<PaymentProvider, 'openPortal'> {
  return {
    openPortal: (customerId, returnUrl, language) =>
      ask(async (stripe) => {
        const details = { customer: customerId, return_url: returnUrl, locale: localeOf(language) };
        const open = (more: { configuration?: string }) =>
          ask(async () => (await stripe.billingPortal.sessions.create({ ...details, ...more })).url);
        try {
          return await open({});
        } catch (error) {
          if (!isRefused(error)) throw error;
          // An account whose owner never saved settings for these pages has none.
          return open({ configuration: await ensureSettings(stripe) });
        }
      }),
  };
}

async function ensureSettings(stripe: Stripe): Promise<string> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const made = data.find(({ metadata }) => metadata?.madeFor === MARK.madeFor);
  return (made ?? (await stripe.billingPortal.configurations.create(SETTINGS))).id;
}
