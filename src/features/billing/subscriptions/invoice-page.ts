import { findInvoice } from './invoice.repository.ts';
import { callPaymentProvider } from './provider-errors.ts';
import { type PurchaseServices, requirePaymentProvider } from './purchase-services.ts';

/**
 * Ask the payment provider for the page of an account's invoice, as its address expires; null if it has none.
 * @throws PROVIDER_UNAVAILABLE; BILLING_DISABLED when its provider is not configured
 */
export async function findInvoicePageUrl(
  services: Pick<PurchaseServices, 'database' | 'payments'>,
  accountId: string,
  invoiceId: string,
): Promise<string | null> {
  const row = await findInvoice(services.database.client, accountId, invoiceId);
  if (!row) return null;
  const provider = requirePaymentProvider(services, row.provider);
  return callPaymentProvider(() => provider.findInvoiceUrl(row.providerId));
}
