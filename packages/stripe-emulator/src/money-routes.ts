import { type ApiRoute, createListRoute, createRetrieveRoute } from './api-routes.ts';
import { createListPage, filterByFields, LIST_PARAMS } from './lists.ts';
import { parseObject, parseString } from './params.ts';
import { createPortalConfiguration, createPortalSession } from './portal.ts';
import { closeDispute, createRefund } from './refunds.ts';

export const MONEY_ROUTES: readonly ApiRoute[] = [
  createRetrieveRoute('invoice_payment', '/v1/invoice_payments'),
  {
    method: 'GET',
    path: '/v1/invoice_payments',
    params: [...LIST_PARAMS, 'invoice', 'status', 'payment'],
    handle: ({ account, form }) => {
      const intent = parseString(parseObject(form, 'payment'), 'payment_intent');
      const found = filterByFields(account.list('invoice_payment'), form, ['invoice', 'status']);
      const wanted = intent ? found.filter(({ payment }) => payment.payment_intent === intent) : found;
      return createListPage(wanted, form, '/v1/invoice_payments');
    },
  },
  createRetrieveRoute('payment_intent', '/v1/payment_intents'),
  createListRoute('payment_intent', '/v1/payment_intents', ['customer']),
  createRetrieveRoute('charge', '/v1/charges'),
  createListRoute('charge', '/v1/charges', ['customer', 'payment_intent']),
  {
    method: 'POST',
    path: '/v1/refunds',
    params: ['charge', 'payment_intent', 'amount', 'reason', 'metadata'],
    handle: ({ account, form }) => createRefund(account, form),
  },
  createRetrieveRoute('refund', '/v1/refunds'),
  createListRoute('refund', '/v1/refunds', ['charge', 'payment_intent']),
  createRetrieveRoute('dispute', '/v1/disputes'),
  createListRoute('dispute', '/v1/disputes', ['charge', 'payment_intent']),
  {
    method: 'POST',
    path: '/v1/disputes/:id/close',
    params: [],
    handle: ({ account, id }) => closeDispute(account, account.require('dispute', id), 'lost'),
  },
  {
    method: 'POST',
    path: '/v1/billing_portal/sessions',
    params: ['customer', 'return_url', 'locale', 'configuration'],
    handle: ({ account, form }) => createPortalSession(account, form),
  },
  {
    method: 'POST',
    path: '/v1/billing_portal/configurations',
    params: ['features', 'business_profile', 'default_return_url', 'metadata', 'name', 'login_page'],
    handle: ({ account, form }) => createPortalConfiguration(account, form),
  },
  createRetrieveRoute('billing_portal.configuration', '/v1/billing_portal/configurations'),
  createListRoute('billing_portal.configuration', '/v1/billing_portal/configurations', [
    'active',
    'is_default',
  ]),
  createRetrieveRoute('event', '/v1/events'),
  {
    method: 'GET',
    path: '/v1/events',
    params: [...LIST_PARAMS, 'type', 'types'],
    handle: ({ account, form }) => {
      const types = Array.isArray(form.types) ? form.types : [];
      const found = filterByFields(account.list('event'), form, ['type']);
      const wanted = types.length > 0 ? found.filter(({ type }) => types.includes(type)) : found;
      return createListPage(wanted, form, '/v1/events');
    },
  },
];
