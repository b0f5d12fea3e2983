import type { Database, Tx } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import { type Feature, type FeatureManifest, getDateDaysAgo } from '../../platform/feature.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import type { PaymentProvider } from '../../providers/payments/payments.port.ts';
import { deleteEndedCheckouts } from './payments/payment.repository.ts';
import { createPaymentProviderRateLimiter } from './payments/provider-rate-limiter.ts';
import { createPaymentReconciliationJob, PAYMENT_RECONCILIATION_QUEUE } from './payments/reconcile.job.ts';
import { PAYMENT_SYNC_QUEUE } from './payments/request-sync.use-case.ts';
import { createPaymentSyncJob } from './payments/sync-payment.job.ts';
import { createSyncSubscriptionNow } from './payments/sync-subscription-now.use-case.ts';
import { deleteTestModePurchases } from './payments/test-mode-purchases.repository.ts';
import { deleteIdlePaymentSyncs, deleteOldWebhookEvents } from './payments/webhook-event.repository.ts';
import { paymentWebhookRoutes } from './payments/webhooks.routes.ts';
import { WebhookReceived } from './payments/webhooks.schemas.ts';
import { checkoutRoutes } from './subscriptions/checkout.routes.ts';
import { invoiceRoutes } from './subscriptions/invoices.routes.ts';
import { Invoice, InvoiceList, InvoicePage } from './subscriptions/invoices.schemas.ts';
import { ownSubscriptionRoutes } from './subscriptions/own-subscription.routes.ts';
import { planChangeRoutes } from './subscriptions/plan-change.routes.ts';
import { createPlanService } from './subscriptions/plans.ts';
import { billingPortalRoutes } from './subscriptions/portal.routes.ts';
import {
  CheckoutSession,
  CheckoutState,
  PortalSession,
  SubscriptionChangePreview,
} from './subscriptions/purchase.schemas.ts';
import { paymentReturnPageRoutes } from './subscriptions/return-pages.routes.ts';
import { subscriptionRoutes } from './subscriptions/subscriptions.routes.ts';
import {
  Subscription,
  SubscriptionPackage,
  SubscriptionStatus,
} from './subscriptions/subscriptions.schemas.ts';

interface BillingServices {
  config: { billing: 'stripe' | 'sandbox' | 'off' };
  database: Database;
  createIdempotently: IdempotentHandler;
  events: DomainEventBus;
  jobs: JobScheduler;
  /** Null when billing is disabled. */
  payments: PaymentProvider | null;
  /** Base URL of the pages that the provider's pages return to. */
  paymentReturnUrl: string;
  publicBaseUrl: string;
  log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
}

/** Objects of the provider that one process syncs at a time. */
const CONCURRENCY = 4;

const BATCH_SIZE = 5_000;

const PAYMENT_EVENT_RETENTION_DAYS = LIFETIMES_SECONDS.paymentEvent / DAY_SECONDS;

export const billingManifest: FeatureManifest = {
  name: 'billing',
  queues: [PAYMENT_SYNC_QUEUE, PAYMENT_RECONCILIATION_QUEUE],
  schemas: [
    SubscriptionPackage,
    SubscriptionStatus,
    Subscription,
    CheckoutSession,
    CheckoutState,
    PortalSession,
    SubscriptionChangePreview,
    Invoice,
    InvoiceList,
    InvoicePage,
    WebhookReceived,
  ],
};

export function createBillingFeature(shared: BillingServices) {
  const plans = createPlanService({ billing: shared.config.billing });
  const paymentServices = { ...shared, paymentRateLimiter: createPaymentProviderRateLimiter() };
  const syncSubscriptionNow = createSyncSubscriptionNow(paymentServices);
  const services = { ...paymentServices, ...plans, syncSubscriptionNow };
  const { payments } = shared;
  const { client } = shared.database;
  const feature: Feature = {
    async plugin(app) {
      const atSubscription = { prefix: '/api/subscription', ...services };
      await app.register(subscriptionRoutes, atSubscription);
      await app.register(paymentReturnPageRoutes, { prefix: '/api/subscription' });
      await app.register(checkoutRoutes, atSubscription);
      await app.register(ownSubscriptionRoutes, atSubscription);
      await app.register(billingPortalRoutes, atSubscription);
      await app.register(planChangeRoutes, atSubscription);
      await app.register(invoiceRoutes, atSubscription);
      await app.register(paymentWebhookRoutes, { prefix: '/api/webhooks', ...services });
    },
    jobs: payments
      ? [
          {
            queue: PAYMENT_SYNC_QUEUE,
            handler: createPaymentSyncJob({ ...services, payments }),
            concurrency: CONCURRENCY,
          },
          {
            queue: PAYMENT_RECONCILIATION_QUEUE,
            handler: createPaymentReconciliationJob({ ...services, payments }),
            intervalSeconds: HOUR_SECONDS,
          },
        ]
      : [],
    cleanUp: [
      async () => {
        while (
          (await deleteOldWebhookEvents(client, getDateDaysAgo(PAYMENT_EVENT_RETENTION_DAYS), BATCH_SIZE)) ===
          BATCH_SIZE
        );
      },
      () => deleteIdlePaymentSyncs(client),
      () => deleteEndedCheckouts(client, getDateDaysAgo(30)),
    ],
  };
  return {
    feature,
    services: {
      ...plans,
      paymentRateLimiter: paymentServices.paymentRateLimiter,
      syncSubscriptionNow,
      deleteTestModePurchases: () => deleteTestModePurchases(services),
      reserveStorage: (tx: Tx, accountId: string, bytes: number) =>
        plans.reserveQuota(tx, 'storageBytes', accountId, bytes),
    },
  };
}

export { finishPaymentReconciliation } from './payments/payment-sync.repository.ts';
export {
  type PaymentReconciliationDifference,
  reconcilePayments,
} from './payments/reconcile-payments.use-case.ts';
export { billingPersonalData } from './personal-data.ts';
export { changeSubscription, previewPlanChange } from './subscriptions/change-subscription.ts';
export { endErasedUserPayments } from './subscriptions/end-payments.use-case.ts';
export { cancelOwnSubscription, keepOwnSubscription } from './subscriptions/end-subscription.ts';
export { LAST_ISSUED_FIRST, listUserInvoices } from './subscriptions/invoice.repository.ts';
export { toInvoiceView } from './subscriptions/invoice.view.ts';
export { findInvoicePageUrl } from './subscriptions/invoice-page.ts';
export { chooseLocalizedName } from './subscriptions/localized-name.ts';
export { openCheckout, syncPaidCheckout } from './subscriptions/open-checkout.use-case.ts';
export { openBillingPortal } from './subscriptions/open-portal.ts';
export {
  type AdminPackageRow,
  insertPackageVersion,
  listOfferedPackages,
  listPackages,
  listPackageVersions,
  lockPackage,
} from './subscriptions/package.repository.ts';
export {
  findPackageErrors,
  PACKAGE_LIMIT_NAMES,
  type PackageContent,
} from './subscriptions/package.rules.ts';

import { DAY_SECONDS, HOUR_SECONDS } from '../../shared/durations.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

export type { PlanService } from './subscriptions/plans.ts';
export { CheckoutRequest, PlanChangeChoice } from './subscriptions/purchase.schemas.ts';
export { type PurchaseServices, requireBilling } from './subscriptions/purchase-services.ts';
export { getSubscriptionStatus } from './subscriptions/subscription-status.ts';
export { PlanUsage } from './subscriptions/subscriptions.schemas.ts';
export type { UserPlan } from './subscriptions/user-plan.repository.ts';
