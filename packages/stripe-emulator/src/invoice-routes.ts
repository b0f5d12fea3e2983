import { type ApiCall, type ApiRoute, createRetrieveRoute } from './api-routes.ts';
import { getOrCreateCard } from './cards.ts';
import { collectPayment } from './collect-payment.ts';
import { finalizeInvoice } from './invoices.ts';
import { createListPage, filterByFields, LIST_PARAMS } from './lists.ts';
import { parseString } from './params.ts';
import { previewInvoice } from './preview.ts';
import type { Invoice } from './sales-objects.ts';
import { createCardError, createInvalidRequestError } from './stripe-error.ts';
import { voidInvoice } from './void-invoice.ts';

export const INVOICE_ROUTES: readonly ApiRoute[] = [
  createRetrieveRoute('invoice', '/v1/invoices'),
  {
    method: 'GET',
    path: '/v1/invoices',
    params: [...LIST_PARAMS, 'customer', 'status', 'subscription', 'collection_method'],
    handle: ({ account, form }) => {
      const named = parseString(form, 'subscription');
      const found = filterByFields(account.list('invoice'), form, [
        'customer',
        'status',
        'collection_method',
      ]);
      const wanted = named ? found.filter((invoice) => getSubscriptionId(invoice) === named) : found;
      return createListPage(wanted, form, '/v1/invoices');
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/create_preview',
    params: ['subscription', 'customer', 'subscription_details', 'currency'],
    handle: ({ account, form }) => previewInvoice(account, form),
  },
  { method: 'POST', path: '/v1/invoices/:id/finalize', params: ['auto_advance'], handle: handleFinalize },
  {
    method: 'POST',
    path: '/v1/invoices/:id/pay',
    params: ['payment_method', 'off_session'],
    handle: handlePay,
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/void',
    params: [],
    handle: ({ account, id }) => voidInvoice(account, requireOpenInvoice(account.require('invoice', id))),
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/mark_uncollectible',
    params: [],
    handle: ({ account, id }) => {
      const invoice = requireOpenInvoice(account.require('invoice', id));
      const transitions = { ...invoice.status_transitions, marked_uncollectible_at: account.getNow() };
      const patch = {
        status: 'uncollectible' as const,
        next_payment_attempt: null,
        status_transitions: transitions,
      };
      return account.update(invoice, patch, 'invoice.marked_uncollectible');
    },
  },
];

function handleFinalize({ account, id }: ApiCall): unknown {
  const invoice = account.require('invoice', id);
  if (invoice.status !== 'draft') throw createInvalidRequestError('This invoice is already finalized.');
  finalizeInvoice(account, invoice);
  return invoice;
}

function handlePay({ account, id, form }: ApiCall): unknown {
  const invoice = requireOpenInvoice(account.require('invoice', id));
  const customer = account.require('customer', invoice.customer);
  const named = parseString(form, 'payment_method');
  const card = named ? { card: getOrCreateCard(account, named, customer, 'payment_method') } : {};
  const outcome = collectPayment(account, invoice, { isAutomatic: false, ...card });
  if (outcome === 'failed')
    throw createCardError('Your card was declined.', 'card_declined', 'generic_decline');
  if (outcome === 'action')
    throw createCardError(
      'This payment requires additional user action.',
      'invoice_payment_intent_requires_action',
    );
  return invoice;
}

function requireOpenInvoice(invoice: Invoice): Invoice {
  if (invoice.status !== 'open')
    throw createInvalidRequestError(
      `Invoice is ${invoice.status}: only one that is open can be paid or voided.`,
    );
  return invoice;
}

function getSubscriptionId(invoice: Invoice): string {
  return invoice.parent.subscription_details.subscription;
}
