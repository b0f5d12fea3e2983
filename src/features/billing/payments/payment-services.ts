import type { Database } from '../../../platform/database.ts';
import type { DomainEventBus } from '../../../platform/events.ts';
import type { JobScheduler } from '../../../platform/jobs.ts';
import type {
  PaymentObjectReference,
  PaymentProvider,
  ProviderCheckout,
  ProviderInvoice,
  ProviderSubscription,
} from '../../../providers/payments/payments.port.ts';
import type { PaymentProviderRateLimiter } from './provider-rate-limiter.ts';

export interface PaymentServices {
  database: Database;
  jobs: JobScheduler;
  /** Null when billing is disabled. */
  payments: PaymentProvider | null;
  /** Shared by all background calls to the provider in one process. */
  paymentRateLimiter: PaymentProviderRateLimiter;
  events: DomainEventBus;
  log: {
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
}

export type EnabledPaymentServices = PaymentServices & { payments: PaymentProvider };

export interface PaymentUpsertResult {
  /** Our id; null when there is no row. */
  rowId: string | null;
  /** `id` for a new row. */
  changed: string[];
  /** Why nothing, or only a part, was written. */
  unknown: 'CUSTOMER' | 'PRICE' | null;
}

export interface RemotePaymentState {
  /** Null for other types of objects, and for an object that the provider does not know. */
  remote: ProviderSubscription | ProviderInvoice | null;
  checkout: ProviderCheckout | null;
  relatedSubjects: PaymentObjectReference[];
}
