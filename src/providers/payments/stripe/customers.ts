import type Stripe from 'stripe';
import type { PaymentProvider } from '../payments.port.ts';
import { createStripeObjectIdempotently } from './create-with-idempotency-key.ts';
import type { StripeCall } from './stripe-client.ts';
import { isPaymentObjectNotFoundError, nullIfPaymentObjectNotFound } from './stripe-errors.ts';

type CustomerMethods = 'createCustomer' | 'hasCustomer' | 'deleteCustomer';

/** Create the customer methods. Stripe gets the email address, language and account id. */
export function createStripeCustomerMethods(callStripe: StripeCall): Pick<PaymentProvider, CustomerMethods> {
  return {
    createCustomer: ({ userId, email, language }, key) =>
      callStripe((stripe) => {
        const details = { email, preferred_locales: [language], metadata: { userId } };
        return createStripeObjectIdempotently(
          key,
          async (idempotencyKey) => (await stripe.customers.create(details, { idempotencyKey })).id,
          () => findCustomer(stripe, userId, email),
        );
      }),

    hasCustomer: async (customerId) => {
      const found = await nullIfPaymentObjectNotFound(
        callStripe((stripe) => stripe.customers.retrieve(customerId)),
      );
      return found !== null && !found.deleted;
    },

    async deleteCustomer(customerId) {
      try {
        await callStripe((stripe) => stripe.customers.del(customerId));
      } catch (error) {
        if (!isPaymentObjectNotFoundError(error)) throw error;
      }
    },
  };
}

async function findCustomer(stripe: Stripe, userId: string, email: string): Promise<string | null> {
  const { data } = await stripe.customers.list({ email, limit: 100 });
  return data.find((customer) => customer.metadata.userId === userId)?.id ?? null;
}
