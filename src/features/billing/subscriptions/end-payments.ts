import type { Database } from '../../../platform/database.ts';
import { PaymentError, type PaymentProvider } from '../../../providers/payments/payments.port.ts';
import { deleteCheckouts, listOpenCheckoutSessions } from './checkout.repository.ts';
import { deleteCustomerId, listCustomers } from './provider-ids.repository.ts';
import { listRunningSubscriptionIds, markSubscriptionsEnded } from './subscription.repository.ts';

interface Services {
  database: Database;
  payments: PaymentProvider | null;
  log: { error(details: object, message: string): void };
}

/**
 * Ends what an erased account pays for, and has the provider forget the person; the same again does nothing. Where that
 * provider is not the one that is configured the log says whom an operator is to end there. Throws PaymentError, and has
 * then forgotten nothing that the next try needs.
 */
export async function endPayments({ database, payments, log }: Services, userId: string): Promise<void> {
  const { client } = database;
  for (const { provider, customerId } of await listCustomers(client, userId)) {
    if (payments?.name === provider) {
      for (const id of await listOpenCheckoutSessions(client, userId, provider))
        await payments.expireCheckout(id);
      for (const id of await listRunningSubscriptionIds(client, userId, provider))
        await cancelProviderSubscription(payments, id);
      await payments.deleteCustomer(customerId);
    } else {
      const message =
        'an account was erased that a payment provider knows, and that is not configured: end there what it pays for';
      log.error({ provider, customer: customerId }, message);
    }
    await database.transaction(async (tx) => {
      if (payments?.name === provider) await markSubscriptionsEnded(tx, userId, provider);
      await deleteCustomerId(tx, provider, customerId);
    });
  }
  await deleteCheckouts(client, userId);
}

async function cancelProviderSubscription(payments: PaymentProvider, id: string): Promise<void> {
  try {
    await payments.cancelSubscription(id, 'NOW');
  } catch (error) {
    // What the provider does not know runs no more, and what it would not end alone ends with its customer.
    if (!(error instanceof PaymentError) || !['ABSENT', 'REFUSED'].includes(error.failure)) throw error;
  }
}
