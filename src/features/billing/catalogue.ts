import { defineAction, defineCatalogue, defineError, EVERY_ROLE } from '../../shared/catalogue.ts';

export const billingCatalogue = defineCatalogue({
  errors: {
    SIGNATURE_INVALID: defineError(
      400,
      'The signature proves nothing.',
      'Only a payment provider posts here, signing the bytes of its event with a secret that is set in STRIPE_WEBHOOK_SECRETS. Nothing was stored.',
    ),
    PLAN_LIMIT_REACHED: defineError(
      403,
      'The limit of the package is reached.',
      '`limit` names what ran out, `largerPackage` the package that has more. Delete something or choose a larger one. What is there keeps working; what is beyond the limit cannot be changed until then.',
    ),
    BILLING_DISABLED: defineError(
      409,
      'Nothing is sold here.',
      'No payment provider is configured, or not the one of which this was bought. Where nothing is sold everything is without limits.',
    ),
    ALREADY_SUBSCRIBED: defineError(
      409,
      'There is a subscription already.',
      'Change it with POST /api/subscription/change, or cancel it first. GET /api/subscription/status shows it.',
    ),
    NO_SUBSCRIPTION: defineError(
      409,
      'There is no subscription that runs.',
      'Begin with POST /api/subscription/checkout-session.',
    ),
    SUBSCRIPTION_ENDED: defineError(
      409,
      'The subscription has ended.',
      'An end is final. Begin again with POST /api/subscription/checkout-session.',
    ),
    NO_CUSTOMER: defineError(
      409,
      'Nothing was bought yet.',
      'The payment provider does not know the account. Begin with POST /api/subscription/checkout-session.',
    ),
    PREVIEW_EXPIRED: defineError(
      409,
      'The preview has expired.',
      'The prices of a preview are valid for half an hour. Request a new one with POST /api/subscription/change/preview.',
    ),
    PAYMENT_PENDING: defineError(
      409,
      'The change waits for its payment.',
      'Nothing is changed until then; after a day it is given up. GET /api/subscription/invoices has the invoice, and GET /api/subscription/invoices/<id>/page says where it can be paid.',
    ),
    PAYMENT_DECLINED: defineError(
      409,
      'The payment provider declined the payment.',
      'The payment method may have been declined. POST /api/subscription/portal-session leads to where it can be changed.',
    ),
  },
  auditActions: {
    CHECKOUT_OPENED: defineAction(
      'LOW',
      'SUBSCRIPTION',
      'A page to pay for a package was opened for a person.',
    ),
    SUBSCRIPTION_CANCELED: defineAction('MEDIUM', 'SUBSCRIPTION', 'A person cancelled their subscription.'),
    SUBSCRIPTION_CANCELLATION_UNDONE: defineAction(
      'LOW',
      'SUBSCRIPTION',
      'A user undid the cancellation of their subscription.',
    ),
    SUBSCRIPTION_CHANGED: defineAction(
      'MEDIUM',
      'SUBSCRIPTION',
      'A person changed to another package or interval.',
    ),
    PAYMENT_PORTAL_OPENED: defineAction(
      'LOW',
      'SUBSCRIPTION',
      'A page on which to see invoices and change how one pays was opened for a person.',
    ),
    PAYMENT_PRICE_UNKNOWN: defineAction(
      'HIGH',
      'SUBSCRIPTION',
      'A payment provider told of a subscription at a price that is not of any package.',
    ),
    PAYMENT_RECONCILED: defineAction(
      'MEDIUM',
      'SUBSCRIPTION',
      'A comparison with the payment provider changed what is known of a subscription or an invoice of it.',
    ),
  },
  permissions: {
    'subscription:own': {
      roles: EVERY_ROLE,
      meaning: 'Read packages; buy, change and cancel the own subscription.',
    },
  },
});
