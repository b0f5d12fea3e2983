import type { PaymentServices } from './payment-services.ts';
import { deleteProviderData } from './test-mode-purchases.repository.ts';

/**
 * Delete test-mode purchases from a database that sells in live mode: they would count as paid and block a
 * real purchase.
 */
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
