import type { Tx } from '../../platform/database.ts';
import type { PaidSubscription } from '../../providers/payments/payments.port.ts';
import { type PaymentServices, selling } from './payment-services.ts';

/** Writes what the provider answered to a change of a subscription, together with its entry in the trail. */
export async function writeAnswer(
  services: PaymentServices,
  paid: PaidSubscription,
  record: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { database, payments, applySubscription } = selling(services);
  await database.transaction(async (tx) => {
    await applySubscription(tx, payments.name, paid);
    await record(tx);
  });
}
