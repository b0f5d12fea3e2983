import type { Database } from '../../../platform/database.ts';
import type { EventBus } from '../../../platform/events.ts';
import type { JobScheduler } from '../../../platform/jobs.ts';
import type { PaymentProvider } from '../../../providers/payments/payments.port.ts';
import type { ProviderRateLimiter } from './provider-rate-limiter.ts';

/** What the pipeline of payments works with. */
export interface PaymentServices {
  database: Database;
  jobs: JobScheduler;
  /** Null where nothing is sold. */
  payments: PaymentProvider | null;
  /** Shared by everything in the process that asks the provider on its own account. */
  paymentRateLimiter: ProviderRateLimiter;
  events: EventBus;
  log: {
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
}

/** The same where something is sold. */
export type EnabledPaymentServices = PaymentServices & { payments: PaymentProvider };

/** What became of the row of an object. */
export interface UpsertResult {
  /** Our id of it; null where there is none. */
  rowId: string | null;
  /** Names of what changed; `id` for a row that was made. */
  changed: string[];
  /** Why nothing, or not all, was written. */
  unknown: 'CUSTOMER' | 'PRICE' | null;
}
