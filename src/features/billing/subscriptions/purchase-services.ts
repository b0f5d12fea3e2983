import { getActingAccount } from '../../../platform/acting-account.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import type { Database, Tx } from '../../../platform/database.ts';
import type { IdempotentHandler } from '../../../platform/idempotency.ts';
import type { PaymentProvider } from '../../../providers/payments/payments.port.ts';
import { ServiceError } from '../../../shared/errors.ts';

export interface PurchaseServices {
  database: Database;
  createIdempotently: IdempotentHandler;
  /** Null when billing is disabled. */
  payments: PaymentProvider | null;
  /** Base URL of the pages that the provider's pages return to. */
  paymentReturnUrl: string;
  log: { warn(details: object, message: string): void };
  /** False when the sync is left to the job. `record` runs in the transaction that requests the sync. */
  syncSubscriptionNow(providerId: string, record: (tx: Tx) => Promise<void>): Promise<boolean>;
}

export type EnabledPurchaseServices = PurchaseServices & { payments: PaymentProvider };

/** @throws BILLING_DISABLED when nothing is sold */
export function requireBilling(services: PurchaseServices): EnabledPurchaseServices {
  const { payments } = services;
  if (!payments) throw new ServiceError('BILLING_DISABLED');
  return { ...services, payments };
}

/** @throws BILLING_DISABLED when that provider is not configured */
export function requirePaymentProvider(
  { payments }: Pick<PurchaseServices, 'payments'>,
  name: string,
): PaymentProvider {
  if (payments?.name !== name) throw new ServiceError('BILLING_DISABLED');
  return payments;
}

/**
 * Get where a page of the provider returns to. It names an organization, whose plan is not that of whoever pays; one checkout
 * of an account is open at a time, whoever opened it.
 */
export function getPaymentReturnUrl(
  { paymentReturnUrl }: Pick<PurchaseServices, 'paymentReturnUrl'>,
  user: CurrentUser,
  path: '/checkout/done' | '/checkout/back' | '/portal/back',
): string {
  const { id, type } = getActingAccount(user);
  return `${paymentReturnUrl}${path}${type === 'ORGANIZATION' ? `?account=${id}` : ''}`;
}
