import type { Tx } from '../../../platform/database.ts';

/** Delete the customers, purchases and events of a provider and return the number of purchases. */
export async function deleteProviderData(tx: Tx, provider: string): Promise<number> {
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
