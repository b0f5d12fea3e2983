import { ROLES_OF_BILLING } from '../../shared/account-permissions.ts';
import { defineAuditAction, defineCatalogue, defineError, EVERY_ROLE } from '../../shared/catalogue.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';

export const billingCatalogue = defineCatalogue({
  errors: {
    SIGNATURE_INVALID: defineError(
      400,
      'Invalid webhook signature.',
      'The signature of the raw body does not match any secret in STRIPE_WEBHOOK_SECRETS, or it has expired. Nothing was stored.',
    ),
    PLAN_LIMIT_REACHED: defineError(
      403,
      'Package limit reached.',
      '`limit` is the name of the limit, `largerPackage` the next package with a higher one. Delete something or choose a larger package. Existing records keep working, but those above the limit are read-only.',
    ),
    BILLING_DISABLED: defineError(
      409,
      'Billing is disabled.',
      'No payment provider is configured, or the purchase belongs to another provider. Without billing there are no limits.',
    ),
    ALREADY_SUBSCRIBED: defineError(
      409,
      'You already have a subscription.',
      'Change it with POST /api/subscription/change, or cancel it first. See GET /api/subscription/status.',
    ),
    NO_SUBSCRIPTION: defineError(
      409,
      'No active subscription.',
      'Start with POST /api/subscription/checkout-session.',
    ),
    SUBSCRIPTION_ENDED: defineError(
      409,
      'The subscription has ended.',
      'An ended subscription cannot be resumed. Start a new one with POST /api/subscription/checkout-session.',
    ),
    NO_CUSTOMER: defineError(
      409,
      'No purchases yet.',
      'The account has no customer at the payment provider. Start with POST /api/subscription/checkout-session.',
    ),
    PREVIEW_EXPIRED: defineError(
      409,
      'The preview has expired.',
      `A preview is valid for ${formatLifetime('changePreview')}. Request a new one with POST /api/subscription/change/preview.`,
    ),
    PAYMENT_PENDING: defineError(
      409,
      'The change requires a payment.',
      'The subscription changes when the invoice is paid; the change expires after a day. Find the invoice with GET /api/subscription/invoices, and its payment page with GET /api/subscription/invoices/<id>/page.',
    ),
    PAYMENT_DECLINED: defineError(
      409,
      'The payment provider declined the payment.',
      'Try another payment method. Change it on the page of POST /api/subscription/portal-session.',
    ),
  },
  auditActions: {
    CHECKOUT_OPENED: defineAuditAction('LOW', 'SUBSCRIPTION', 'A user opened a checkout.'),
    SUBSCRIPTION_CANCELED: defineAuditAction('MEDIUM', 'SUBSCRIPTION', 'A user canceled their subscription.'),
    SUBSCRIPTION_CANCELLATION_UNDONE: defineAuditAction(
      'LOW',
      'SUBSCRIPTION',
      'A user undid the cancellation of their subscription.',
    ),
    SUBSCRIPTION_CHANGED: defineAuditAction(
      'MEDIUM',
      'SUBSCRIPTION',
      'A user changed their package or billing interval.',
    ),
    PAYMENT_PORTAL_OPENED: defineAuditAction('LOW', 'SUBSCRIPTION', 'A user opened the billing portal.'),
    PAYMENT_PRICE_UNKNOWN: defineAuditAction(
      'HIGH',
      'SUBSCRIPTION',
      'A payment provider reported a subscription with an unknown price.',
    ),
    PAYMENT_RECONCILED: defineAuditAction(
      'MEDIUM',
      'SUBSCRIPTION',
      'A reconciliation with the payment provider changed a subscription or an invoice.',
    ),
  },
  permissions: {
    'subscription:own': {
      roles: EVERY_ROLE,
      meaning: 'Read packages; buy, change and cancel your own subscription.',
      scopes: { read: 'subscription:read' },
      accountRoles: ROLES_OF_BILLING,
    },
  },
});
