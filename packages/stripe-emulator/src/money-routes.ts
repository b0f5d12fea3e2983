import { type ApiRoute, listing, reading } from './api-routes.ts';
import { LIST_PARAMS, listPage, matching } from './lists.ts';
import { objectOf, textOf } from './params.ts';
import { createConfiguration, createPortal } from './portal.ts';
import { closeDispute, createRefund } from './refunds.ts';

/** What is paid and given back, the portal, events. */
export const MONEY_ROUTES: readonly ApiRoute[] = [
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
