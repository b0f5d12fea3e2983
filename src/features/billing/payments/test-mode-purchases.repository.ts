import type { Tx } from '../../../platform/database.ts';
import type { PaymentServices } from './payment-services.ts';

/** Return the number of purchases. */
async function deleteProviderData(tx: Tx, provider: string): Promise<number> {
  const where = { provider };
  await tx.paymentInvoice.deleteMany({ where });
  const { count } = await tx.subscription.deleteMany({ where });
  await tx.checkoutSession.deleteMany({ where });
  await tx.paymentCustomer.deleteMany({ where });
  await tx.paymentPrice.deleteMany({ where });
  await tx.paymentSync.deleteMany({ where });
  await tx.webhookEvent.deleteMany({ where });
  await tx.paymentReconciliation.deleteMany({ where });
  return count;
}

/** In a database that sells in live mode they would count as paid and block a real purchase. */
export async function deleteTestModePurchases({
  database,
  payments,
  log,
}: Pick<PaymentServices, 'database' | 'payments' | 'log'>): Promise<void> {
  for (const name of payments?.testModeProviders ?? []) {
    const count = await database.transaction((tx) => deleteProviderData(tx, name));
    if (count > 0) log.warn({ provider: name, count }, 'payments: test-mode subscriptions deleted');
  }
}
