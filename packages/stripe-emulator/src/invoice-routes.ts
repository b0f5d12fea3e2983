import { type ApiRoute, type Call, reading } from './api-routes.ts';
import { takeCard } from './cards.ts';
import { collect } from './collection.ts';
import { finalizeInvoice } from './invoices.ts';
import { LIST_PARAMS, listPage, matching } from './lists.ts';
import type { Invoice } from './objects.ts';
import { textOf } from './params.ts';
import { previewInvoice } from './preview.ts';
import { cardError, invalid } from './stripe-error.ts';
import { voidInvoice } from './voiding.ts';

/** Invoices, and paying them. */
export const INVOICE_ROUTES: readonly ApiRoute[] = [
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
    params: ['payment_method', 'off_session'],
    handle: pay,
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/void',
    params: [],
    handle: ({ account, id }) => voidInvoice(account, openInvoice(account.need('invoice', id))),
  },
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

function openInvoice(invoice: Invoice): Invoice {
  if (invoice.status !== 'open')
    throw invalid(`Invoice is ${invoice.status}: only one that is open can be paid or voided.`);
  return invoice;
}

function subscriptionOf(invoice: Invoice): string {
  return invoice.parent.subscription_details.subscription;
}
