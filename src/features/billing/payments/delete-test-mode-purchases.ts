import type { PaymentServices } from './payment-services.ts';
import { deleteProviderData } from './test-mode-purchases.repository.ts';

/**
 * Forgets what was bought where no money moved, in a database that sells in earnest from now on: it would count as paid, and
 * whoever has it could buy nothing else.
 */
export async function deleteTestModePurchases({
  database,
  payments,
  log,
}: Pick<PaymentServices, 'database' | 'payments' | 'log'>): Promise<void> {
  for (const name of payments?.testModeProviders ?? []) {
    const count = await database.transaction((tx) => deleteProviderData(tx, name));
    if (count > 0)
      log.warn({ provider: name, count }, 'payments: subscriptions for which no money moved are forgotten');
  }
}
