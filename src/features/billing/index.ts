export { deleteTestModePurchases } from './payments/delete-test-mode-purchases.ts';
export type { PaymentNotification } from './payments/payment-notification.ts';
export { finishReconciliation } from './payments/payment-reconciliation.repository.ts';
export type { PaymentServices } from './payments/payment-services.ts';
export { createProviderRateLimiter } from './payments/provider-rate-limiter.ts';
export { createReconcileJob, RECONCILE_QUEUE, RECONCILED_INVOICE_DAYS } from './payments/reconcile.job.ts';
export { type ReconcileDifference, reconcilePayments } from './payments/reconcile-payments.ts';
export { SYNC_QUEUE } from './payments/request-sync.ts';
export { createSyncNow } from './payments/sync-now.ts';
export { createSyncPaymentJob } from './payments/sync-payment.job.ts';
export {
  deleteEndedCheckouts,
  deleteIdleSyncs,
  deleteOldWebhookEvents,
} from './payments/webhook-event.repository.ts';
export { WebhookReceived } from './payments/webhooks.schemas.ts';
export { chooseLocalizedName } from './subscriptions/accepted-language.rules.ts';
export { endPayments } from './subscriptions/end-payments.ts';
export { Invoice, InvoiceList, InvoicePage } from './subscriptions/invoices.schemas.ts';
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
