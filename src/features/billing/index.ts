import type { Database, Tx } from '../../platform/database.ts';
import type { EventBus } from '../../platform/events.ts';
import { daysAgo, type Feature, type FeatureManifest } from '../../platform/feature.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import type { PaymentProvider } from '../../providers/payments/payments.port.ts';
import { createProviderRateLimiter } from './payments/provider-rate-limiter.ts';
import { createReconcileJob, RECONCILE_QUEUE } from './payments/reconcile.job.ts';
import { SYNC_QUEUE } from './payments/request-sync.ts';
import { createSyncNow } from './payments/sync-object.ts';
import { createSyncPaymentJob } from './payments/sync-payment.job.ts';
import { deleteTestModePurchases } from './payments/test-mode-purchases.repository.ts';
import {
  deleteEndedCheckouts,
  deleteIdleSyncs,
  deleteOldWebhookEvents,
} from './payments/webhook-event.repository.ts';
import { webhookRoutes } from './payments/webhooks.routes.ts';
import { WebhookReceived } from './payments/webhooks.schemas.ts';
import { checkoutRoutes } from './subscriptions/checkout.routes.ts';
import { invoiceRoutes } from './subscriptions/invoices.routes.ts';
import { Invoice, InvoiceList, InvoicePage } from './subscriptions/invoices.schemas.ts';
import { ownSubscriptionRoutes } from './subscriptions/own-subscription.routes.ts';
import { changeRoutes } from './subscriptions/plan-change.routes.ts';
import { createPlanService } from './subscriptions/plans.ts';
import { portalRoutes } from './subscriptions/portal.routes.ts';
import {
  ChangePreview,
  CheckoutSession,
  CheckoutState,
  PortalSession,
} from './subscriptions/purchase.schemas.ts';
import { returnPageRoutes } from './subscriptions/return-pages.routes.ts';
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
  events: EventBus;
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

const HOUR_SECONDS = 3_600;

export const billingManifest: FeatureManifest = {
  name: 'billing',
  queues: [SYNC_QUEUE, RECONCILE_QUEUE],
  schemas: [
    SubscriptionPackage,
    SubscriptionStatus,
    Subscription,
    CheckoutSession,
    CheckoutState,
    PortalSession,
    ChangePreview,
    Invoice,
    InvoiceList,
    InvoicePage,
    WebhookReceived,
  ],
};

export function createBilling(shared: BillingServices) {
  const plans = createPlanService({ billing: shared.config.billing });
  const paymentServices = { ...shared, paymentRateLimiter: createProviderRateLimiter() };
  const syncSubscriptionNow = createSyncNow(paymentServices);
  const services = { ...paymentServices, ...plans, syncSubscriptionNow };
  const { payments } = shared;
  const { client } = shared.database;
  const feature: Feature = {
    async plugin(app) {
      const atSubscription = { prefix: '/api/subscription', ...services };
      await app.register(subscriptionRoutes, atSubscription);
      await app.register(returnPageRoutes, { prefix: '/api/subscription' });
      await app.register(checkoutRoutes, atSubscription);
      await app.register(ownSubscriptionRoutes, atSubscription);
      await app.register(portalRoutes, atSubscription);
      await app.register(changeRoutes, atSubscription);
      await app.register(invoiceRoutes, atSubscription);
      await app.register(webhookRoutes, { prefix: '/api/webhooks', ...services });
    },
    jobs: payments
      ? [
          {
            queue: SYNC_QUEUE,
            handler: createSyncPaymentJob({ ...services, payments }),
            concurrency: CONCURRENCY,
          },
          {
            queue: RECONCILE_QUEUE,
            handler: createReconcileJob({ ...services, payments }),
            intervalSeconds: HOUR_SECONDS,
          },
        ]
      : [],
    cleanUp: [
      async () => {
        while ((await deleteOldWebhookEvents(client, daysAgo(90), BATCH_SIZE)) === BATCH_SIZE);
      },
      () => deleteIdleSyncs(client),
      () => deleteEndedCheckouts(client, daysAgo(30)),
    ],
  };
  return {
    feature,
    services: {
      ...plans,
      paymentRateLimiter: paymentServices.paymentRateLimiter,
      syncSubscriptionNow,
      deleteTestModePurchases: () => deleteTestModePurchases(services),
      reserveStorage: (tx: Tx, ownerId: string, bytes: number) =>
        plans.reserveQuota(tx, 'storageBytes', ownerId, bytes),
    },
  };
}

export type { PaymentServices } from './payments/payment-services.ts';
export { finishReconciliation } from './payments/payment-sync.repository.ts';
export { createProviderRateLimiter } from './payments/provider-rate-limiter.ts';
export { createReconcileJob, RECONCILE_QUEUE, RECONCILED_INVOICE_DAYS } from './payments/reconcile.job.ts';
export { type ReconcileDifference, reconcilePayments } from './payments/reconcile-payments.ts';
export { SYNC_QUEUE } from './payments/request-sync.ts';
export { createSyncNow } from './payments/sync-object.ts';
export { createSyncPaymentJob } from './payments/sync-payment.job.ts';
export { deleteTestModePurchases } from './payments/test-mode-purchases.repository.ts';
export {
  deleteEndedCheckouts,
  deleteIdleSyncs,
  deleteOldWebhookEvents,
} from './payments/webhook-event.repository.ts';
export { WebhookReceived } from './payments/webhooks.schemas.ts';
export { billingPersonalData } from './personal-data.ts';
export { endPayments } from './subscriptions/end-payments.ts';
export { Invoice, InvoiceList, InvoicePage } from './subscriptions/invoices.schemas.ts';
export { chooseLocalizedName } from './subscriptions/localized-name.ts';
export {
  type AdminPackageRow,
  insertPackageVersion,
  listPackages,
  listPackageVersions,
  lockPackage,
} from './subscriptions/package.repository.ts';
export { findPackageErrors, PACKAGE_LIMITS, type PackageContent } from './subscriptions/package.rules.ts';
export { createPlanService, type PlanService } from './subscriptions/plans.ts';
export {
  ChangePreview,
  CheckoutSession,
  CheckoutState,
  PortalSession,
} from './subscriptions/purchase.schemas.ts';
export { listSubscriptions, type SubscriptionRow } from './subscriptions/subscription.repository.ts';
export {
  PlanUsage,
  Subscription,
  SubscriptionPackage,
  SubscriptionStatus,
} from './subscriptions/subscriptions.schemas.ts';
export type { UserPlan } from './subscriptions/user-plan.repository.ts';
