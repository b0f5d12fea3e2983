import type { Database } from '../../../platform/database.ts';
import { PaymentError, type PaymentProvider } from '../../../providers/payments/payments.port.ts';
import { listRunningSubscriptionIds } from '../payments/payment.repository.ts';
import { deleteUserCheckouts, listOpenCheckoutSessionIds } from './checkout.repository.ts';
import { deleteCustomerId, listUserPaymentCustomers } from './provider-ids.repository.ts';
import { markUserSubscriptionsEnded } from './subscription.repository.ts';

interface Services {
  database: Database;
  payments: PaymentProvider | null;
  log: { error(details: object, message: string): void };
}

/**
 * Safe to repeat. Logs customers of a provider that is not configured for an operator.
 * @throws PaymentError with everything kept that a retry needs
 */
export async function endErasedUserPayments(
  { database, payments, log }: Services,
  accountId: string,
): Promise<void> {
  const { client } = database;
  for (const { provider, customerId } of await listUserPaymentCustomers(client, accountId)) {
    if (payments?.name === provider) {
      for (const id of await listOpenCheckoutSessionIds(client, accountId, provider))
        await payments.expireCheckout(id);
      for (const id of await listRunningSubscriptionIds(client, provider, accountId))
        await cancelProviderSubscription(payments, id);
      await payments.deleteCustomer(customerId);
    } else {
      const message =
        'an erased account has a customer at a provider that is not configured: cancel its payments there';
      log.error({ provider, customer: customerId }, message);
    }
    await database.transaction(async (tx) => {
      if (payments?.name === provider) await markUserSubscriptionsEnded(tx, accountId, provider);
      await deleteCustomerId(tx, accountId, provider, customerId);
    });
  }
  await deleteUserCheckouts(client, accountId);
}

async function cancelProviderSubscription(payments: PaymentProvider, id: string): Promise<void> {
  try {
    await payments.cancelSubscription(id, 'NOW');
  } catch (error) {
    // An unknown subscription is not running, and one that cannot be canceled ends with its customer.
    if (!(error instanceof PaymentError) || !['ABSENT', 'REFUSED'].includes(error.failure)) throw error;
  }
}
