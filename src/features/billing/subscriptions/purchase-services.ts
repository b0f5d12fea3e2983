import type { Database, Tx } from '../../../platform/database.ts';
import type { IdempotentHandler } from '../../../platform/idempotency.ts';
import type { PaymentProvider } from '../../../providers/payments/payments.port.ts';
import { ServiceError } from '../../../shared/errors.ts';

/** What everything that sells works with; put together in services.ts. */
export interface PurchaseServices {
  database: Database;
  createIdempotently: IdempotentHandler;
  /** Who takes the money; null where nothing is sold. */
  payments: PaymentProvider | null;
  /** The beginning of the addresses to which people come back from pages of the provider. */
  paymentReturnUrl: string;
  /**
   * Has a subscription of the provider written as it is there now, and its person told what changed by that. Answers whether
   * that is done: where it takes long it is only certain to be. `record` is part of the transaction that makes it certain.
   */
  syncSubscriptionNow(providerId: string, record: (tx: Tx) => Promise<void>): Promise<boolean>;
}

/** The same, where something is sold. */
export type EnabledPurchaseServices = PurchaseServices & { payments: PaymentProvider };

/** The services where something is sold. Throws BILLING_DISABLED where nothing is. */
export function requireBilling(services: PurchaseServices): EnabledPurchaseServices {
  const { payments } = services;
  if (!payments) throw new ServiceError('BILLING_DISABLED');
  return { ...services, payments };
}

/** Who takes the money for what was bought of a provider. Throws BILLING_DISABLED where that is nobody any more. */
export function requirePaymentProvider(services: PurchaseServices, name: string): PaymentProvider {
  const { payments } = requireBilling(services);
  if (payments.name !== name) throw new ServiceError('BILLING_DISABLED');
  return payments;
}
