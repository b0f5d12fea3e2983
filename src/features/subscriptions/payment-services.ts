import type { Database, Tx } from '../../platform/database.ts';
import type { CreateOnce } from '../../platform/idempotency.ts';
import type { PaidSubscription, PaymentProvider } from '../../providers/payments/payments.port.ts';
import { ServiceError } from '../../shared/errors.ts';

/** What everything that sells works with; put together in services.ts. */
export interface PaymentServices {
  database: Database;
  createOnce: CreateOnce;
  /** Who takes the money; null where nothing is sold. */
  payments: PaymentProvider | null;
  /** The beginning of the addresses to which people come back from pages of the provider. */
  paymentReturnUrl: string;
  /** Writes what the provider says of a subscription, and tells of what changes by it. */
  applySubscription(tx: Tx, provider: string, paid: PaidSubscription): Promise<void>;
}

/** The same, with somebody who takes the money. */
export type SellingServices = PaymentServices & { payments: PaymentProvider };

/** The services of something that is sold. Throws BILLING_DISABLED where nothing is. */
export function selling(services: PaymentServices): SellingServices {
  const { payments } = services;
  if (!payments) throw new ServiceError('BILLING_DISABLED');
  return { ...services, payments };
}

/** Who takes the money for what was bought of a provider. Throws BILLING_DISABLED where that is nobody any more. */
export function providerOf(services: PaymentServices, name: string): PaymentProvider {
  const { payments } = selling(services);
  if (payments.name !== name) throw new ServiceError('BILLING_DISABLED');
  return payments;
}
