import type { Database, Tx } from '../../platform/database.ts';
import type { PaymentProvider } from '../../providers/payments/payments.port.ts';
import { newId } from '../../shared/ids.ts';

/** Writes what the provider says of a subscription. */
export function interimLook(database: Database, payments: PaymentProvider | null) {
  return async (providerId: string, record: (tx: Tx) => Promise<void>): Promise<void> => {
    const paid = await payments?.findSubscription(providerId);
    await database.transaction(async (tx) => {
      await record(tx);
      if (!paid || !payments) return;
      const provider = payments.name;
      const customer = await tx.paymentCustomer.findFirst({
        where: { provider, customerId: paid.customerId },
      });
      const price = await tx.paymentPrice.findFirst({ where: { provider, priceId: paid.priceId } });
      if (!customer || !price) return;
      const { object: _object, id: _id, customerId: _customer, priceId: _price, ...facts } = paid;
      const data = { ...facts, packageId: price.packageId, packageVersion: price.version };
      await tx.subscription.upsert({
        where: { provider_providerId: { provider, providerId } },
        create: { id: newId(), userId: customer.userId, provider, providerId, ...data },
        update: { ...data, version: { increment: 1 } },
      });
    });
  };
}
