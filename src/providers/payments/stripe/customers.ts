import type Stripe from 'stripe';
import type { PaymentProvider } from '../payments.port.ts';
import { createOnce } from './create-once.ts';
import type { Ask } from './stripe-client.ts';
import { isAbsent, orNull } from './stripe-failure.ts';

type Calls = 'createCustomer' | 'hasCustomer' | 'deleteCustomer';

/** People as Stripe knows them: by an address of mail, a language and the id of their account. */
export function createCustomers(ask: Ask): Pick<PaymentProvider, Calls> {
  return {
    createCustomer: ({ userId, email, language }, key) =>
      ask((stripe) => {
        const details = { email, preferred_locales: [language], metadata: { userId } };
        return createOnce(
          key,
          async (idempotencyKey) => (await stripe.customers.create(details, { idempotencyKey })).id,
          () => findCustomer(stripe, userId, email),
        );
      }),

    hasCustomer: async (customerId) => {
      const found = await orNull(ask((stripe) => stripe.customers.retrieve(customerId)));
      return found !== null && !found.deleted;
    },

    async deleteCustomer(customerId) {
      try {
        await ask((stripe) => stripe.customers.del(customerId));
      } catch (error) {
        if (!isAbsent(error)) throw error;
      }
    },
  };
}

async function findCustomer(stripe: Stripe, userId: string, email: string): Promise<string | null> {
  const { data } = await stripe.customers.list({ email, limit: 100 });
  return data.find((customer) => customer.metadata.userId === userId)?.id ?? null;
}
