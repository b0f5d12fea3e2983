import type { Tx } from '../../platform/database.ts';
import type { PaidSubscription } from '../../providers/payments/payments.port.ts';
import { newId } from '../../shared/ids.ts';

/** Writes what the provider says of a subscription. */
export async function applySubscription(tx: Tx, provider: string, paid: PaidSubscription): Promise<void> {
  const customer = await tx.paymentCustomer.findFirst({ where: { provider, customerId: paid.customerId } });
  const price = await tx.paymentPrice.findFirst({ where: { provider, priceId: paid.priceId } });
  if (!customer || !price) return;
  const data = {
    packageId: price.packageId,
    packageVersion: price.version,
    interval: paid.interval,
    currency: paid.currency,
    state: paid.state,
    currentPeriodStart: paid.currentPeriodStart,
    currentPeriodEnd: paid.currentPeriodEnd,
    cancelAtPeriodEnd: paid.cancelAtPeriodEnd,
    trialEndsAt: paid.trialEndsAt,
    canceledAt: paid.canceledAt,
    endedAt: paid.endedAt,
    startedAt: paid.startedAt,
  };
  await tx.subscription.upsert({
    where: { provider_providerId: { provider, providerId: paid.id } },
    create: { id: newId(), userId: customer.userId, provider, providerId: paid.id, ...data },
    update: { ...data, version: { increment: 1 } },
  });
}
