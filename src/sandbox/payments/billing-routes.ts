import { type ApiRoute, type Call, listing, reading } from './api-routes.ts';
import { takeCard } from './cards.ts';
import { resumeSubscription, updateSubscription } from './changes.ts';
import { collect } from './collection.ts';
import { finalizeInvoice } from './invoices.ts';
import { LIST_PARAMS, listPage, matching } from './lists.ts';
import type { Invoice } from './objects.ts';
import { objectOf, textOf } from './params.ts';
import { createConfiguration, createPortal } from './portal.ts';
import { previewInvoice } from './preview.ts';
import { closeDispute, createRefund } from './refunds.ts';
import { cardError, invalid } from './stripe-error.ts';
import { cancelSubscription, createSubscription, pauseSubscription } from './subscriptions.ts';

const WRITABLE = [
  'items',
  'default_payment_method',
  'metadata',
  'description',
  'payment_behavior',
  'off_session',
];
const PLAIN = ['proration_behavior', 'trial_end', 'payment_settings', 'automatic_tax', 'collection_method'];

const SUBSCRIPTION_ROUTES: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v1/subscriptions',
    params: [
      ...WRITABLE,
      ...PLAIN,
      'customer',
      'trial_period_days',
      'trial_settings',
      'currency',
      'billing_mode',
    ],
    handle: ({ account, form }) => createSubscription(account, form),
  },
  reading('subscription', '/v1/subscriptions'),
  {
    method: 'GET',
    path: '/v1/subscriptions',
    params: [...LIST_PARAMS, 'customer', 'price', 'status'],
    handle: listSubscriptions,
  },
  {
    method: 'POST',
    path: '/v1/subscriptions/:id',
    params: [
      ...WRITABLE,
      ...PLAIN,
      'cancel_at',
      'cancel_at_period_end',
      'cancellation_details',
      'proration_date',
    ],
    handle: ({ account, id, form }) => updateSubscription(account, id, form),
  },
  {
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    params: ['invoice_now', 'prorate', 'cancellation_details'],
    handle: ({ account, id, form }) => cancelSubscription(account, id, form),
  },
  {
    method: 'POST',
    path: '/v1/subscriptions/:id/pause',
    params: ['type', 'invoicing_behavior', 'bill_for'],
    handle: ({ account, id }) => pauseSubscription(account, id),
  },
  {
    method: 'POST',
    path: '/v1/subscriptions/:id/resume',
    params: ['billing_cycle_anchor', 'proration_behavior', 'payment_behavior'],
    handle: ({ account, id }) => resumeSubscription(account, id),
  },
];

const INVOICE_ROUTES: readonly ApiRoute[] = [
  reading('invoice', '/v1/invoices'),
  {
    method: 'GET',
    path: '/v1/invoices',
    params: [...LIST_PARAMS, 'customer', 'status', 'subscription', 'collection_method'],
    handle: ({ account, form }) => {
      const named = textOf(form, 'subscription');
      const found = matching(account.all('invoice'), form, ['customer', 'status', 'collection_method']);
      const wanted = named ? found.filter((invoice) => subscriptionOf(invoice) === named) : found;
      return listPage(wanted, form, '/v1/invoices');
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/create_preview',
    params: ['subscription', 'customer', 'subscription_details', 'currency'],
    handle: ({ account, form }) => previewInvoice(account, form),
  },
  { method: 'POST', path: '/v1/invoices/:id/finalize', params: ['auto_advance'], handle: finalize },
  {
    method: 'POST',
    path: '/v1/invoices/:id/pay',
    params: ['payment_method', 'off_session', 'paid_out_of_band'],
    handle: pay,
  },
  { method: 'POST', path: '/v1/invoices/:id/void', params: [], handle: voidInvoice },
  {
    method: 'POST',
    path: '/v1/invoices/:id/mark_uncollectible',
    params: [],
    handle: ({ account, id }) => {
      const invoice = openInvoice(account.need('invoice', id));
      const transitions = { ...invoice.status_transitions, marked_uncollectible_at: account.now() };
      const patch = {
        status: 'uncollectible' as const,
        next_payment_attempt: null,
        status_transitions: transitions,
      };
      return account.change(invoice, patch, 'invoice.marked_uncollectible');
    },
  },
];

const MONEY_ROUTES: readonly ApiRoute[] = [
  reading('invoice_payment', '/v1/invoice_payments'),
  {
    method: 'GET',
    path: '/v1/invoice_payments',
    params: [...LIST_PARAMS, 'invoice', 'status', 'payment'],
    handle: ({ account, form }) => {
      const intent = textOf(objectOf(form, 'payment'), 'payment_intent');
      const found = matching(account.all('invoice_payment'), form, ['invoice', 'status']);
      const wanted = intent ? found.filter(({ payment }) => payment.payment_intent === intent) : found;
      return listPage(wanted, form, '/v1/invoice_payments');
    },
  },
  reading('payment_intent', '/v1/payment_intents'),
  listing('payment_intent', '/v1/payment_intents', ['customer']),
  reading('charge', '/v1/charges'),
  listing('charge', '/v1/charges', ['customer', 'payment_intent']),
  {
    method: 'POST',
    path: '/v1/refunds',
    params: ['charge', 'payment_intent', 'amount', 'reason', 'metadata'],
    handle: ({ account, form }) => createRefund(account, form),
  },
  reading('refund', '/v1/refunds'),
  listing('refund', '/v1/refunds', ['charge', 'payment_intent']),
  reading('dispute', '/v1/disputes'),
  listing('dispute', '/v1/disputes', ['charge', 'payment_intent']),
  {
    method: 'POST',
    path: '/v1/disputes/:id/close',
    params: [],
    handle: ({ account, id }) => closeDispute(account, account.need('dispute', id), 'lost'),
  },
  {
    method: 'POST',
    path: '/v1/billing_portal/sessions',
    params: ['customer', 'return_url', 'locale', 'configuration'],
    handle: ({ account, form }) => createPortal(account, form),
  },
  {
    method: 'POST',
    path: '/v1/billing_portal/configurations',
    params: ['features', 'business_profile', 'default_return_url', 'metadata', 'name', 'login_page'],
    handle: ({ account, form }) => createConfiguration(account, form),
  },
  reading('billing_portal.configuration', '/v1/billing_portal/configurations'),
  listing('billing_portal.configuration', '/v1/billing_portal/configurations', ['active', 'is_default']),
  reading('event', '/v1/events'),
  {
    method: 'GET',
    path: '/v1/events',
    params: [...LIST_PARAMS, 'type', 'types'],
    handle: ({ account, form }) => {
      const types = Array.isArray(form.types) ? form.types : [];
      const found = matching(account.all('event'), form, ['type']);
      const wanted = types.length > 0 ? found.filter(({ type }) => types.includes(type)) : found;
      return listPage(wanted, form, '/v1/events');
    },
  },
];

/** Subscriptions, invoices, what is paid and given back, the portal, events. */
export const BILLING_ROUTES: readonly ApiRoute[] = [
  ...SUBSCRIPTION_ROUTES,
  ...INVOICE_ROUTES,
  ...MONEY_ROUTES,
];

/** Without a status all but the canceled ones, as Stripe has it. */
function listSubscriptions({ account, form }: Call): unknown {
  const status = textOf(form, 'status');
  const price = textOf(form, 'price');
  const found = matching(account.all('subscription'), form, ['customer']).filter((one) => {
    if (price && !one.items.data.some((item) => item.price.id === price)) return false;
    if (status === 'all') return true;
    if (status === 'ended') return one.ended_at !== null;
    return status === undefined ? one.status !== 'canceled' : one.status === status;
  });
  return listPage(found, form, '/v1/subscriptions');
}

function finalize({ account, id }: Call): unknown {
  const invoice = account.need('invoice', id);
  if (invoice.status !== 'draft') throw invalid('This invoice is already finalized.');
  finalizeInvoice(account, invoice);
  return invoice;
}

function pay({ account, id, form }: Call): unknown {
  const invoice = openInvoice(account.need('invoice', id));
  const customer = account.need('customer', invoice.customer);
  const named = textOf(form, 'payment_method');
  const card = named ? { card: takeCard(account, named, customer, 'payment_method') } : {};
  const outcome = collect(account, invoice, { automatic: false, ...card });
  if (outcome === 'failed') throw cardError('Your card was declined.', 'card_declined', 'generic_decline');
  if (outcome === 'action')
    throw cardError(
      'This payment requires additional user action.',
      'invoice_payment_intent_requires_action',
    );
  return invoice;
}

function voidInvoice({ account, id }: Call): unknown {
  const invoice = openInvoice(account.need('invoice', id));
  const transitions = { ...invoice.status_transitions, voided_at: account.now() };
  const patch = { status: 'void' as const, next_payment_attempt: null, status_transitions: transitions };
  return account.change(invoice, patch, 'invoice.voided');
}

function openInvoice(invoice: Invoice): Invoice {
  if (invoice.status !== 'open')
    throw invalid(`Invoice is ${invoice.status}: only one that is open can be paid or voided.`);
  return invoice;
}

function subscriptionOf(invoice: Invoice): string {
  return invoice.parent.subscription_details.subscription;
}
