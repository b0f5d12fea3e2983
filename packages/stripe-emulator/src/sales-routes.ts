import { type ApiRoute, createListRoute, createRetrieveRoute } from './api-routes.ts';
import { createPrice, createProduct, updatePrice, updateProduct } from './catalogue.ts';
import { expireCheckout } from './checkout.ts';
import { createCheckout } from './create-checkout.ts';
import {
  attachCard,
  createCustomer,
  deleteCustomer,
  toCustomerResponse,
  updateCustomer,
} from './customers.ts';
import { createListPage, filterByFields, LIST_PARAMS } from './lists.ts';
import { parseString, parseStringList } from './params.ts';

const CUSTOMER_PARAMS = [
  ...['email', 'name', 'phone', 'description', 'metadata', 'preferred_locales', 'payment_method'],
  ...['invoice_settings', 'balance'],
];
const PRICE_PARAMS = ['active', 'nickname', 'metadata', 'lookup_key', 'transfer_lookup_key', 'tax_behavior'];
/** Also parameters without effect here: the look of Stripe's page, or what the emulator always does. */
const CHECKOUT_PARAMS = [
  ...['mode', 'customer', 'line_items', 'success_url', 'cancel_url', 'client_reference_id', 'metadata'],
  ...[
    'subscription_data',
    'expires_at',
    'locale',
    'allow_promotion_codes',
    'automatic_tax',
    'customer_update',
  ],
  ...['billing_address_collection', 'payment_method_types', 'payment_method_collection', 'custom_text'],
  ...['consent_collection', 'submit_type', 'tax_id_collection', 'ui_mode', 'saved_payment_method_options'],
  ...[
    'adaptive_pricing',
    'origin_context',
    'name_collection',
    'phone_number_collection',
    'branding_settings',
  ],
];

export const SALES_ROUTES: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v1/customers',
    params: CUSTOMER_PARAMS,
    handle: ({ account, form }) => createCustomer(account, form),
  },
  {
    method: 'GET',
    path: '/v1/customers',
    params: [...LIST_PARAMS, 'email'],
    handle: ({ account, form }) => {
      const living = account.list('customer').filter((customer) => !customer.deleted);
      return createListPage(filterByFields(living, form, ['email']), form, '/v1/customers');
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:id',
    params: [],
    handle: ({ account, id }) => toCustomerResponse(account.require('customer', id)),
  },
  {
    method: 'POST',
    path: '/v1/customers/:id',
    params: CUSTOMER_PARAMS,
    handle: ({ account, id, form }) => updateCustomer(account, id, form),
  },
  {
    method: 'DELETE',
    path: '/v1/customers/:id',
    params: [],
    handle: ({ account, id }) => deleteCustomer(account, id),
  },
  createRetrieveRoute('payment_method', '/v1/payment_methods'),
  createListRoute('payment_method', '/v1/payment_methods', ['customer', 'type']),
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    params: ['customer'],
    handle: ({ account, id, form }) => attachCard(account, id, parseString(form, 'customer') ?? ''),
  },
  {
    method: 'POST',
    path: '/v1/products',
    params: ['id', 'name', 'description', 'active', 'metadata', 'tax_code', 'type'],
    handle: ({ account, form }) => createProduct(account, form),
  },
  createRetrieveRoute('product', '/v1/products'),
  createListRoute('product', '/v1/products', ['active']),
  {
    method: 'POST',
    path: '/v1/products/:id',
    params: ['name', 'description', 'active', 'metadata'],
    handle: ({ account, id, form }) => updateProduct(account, id, form),
  },
  {
    method: 'POST',
    path: '/v1/prices',
    params: [
      ...PRICE_PARAMS,
      'currency',
      'unit_amount',
      'recurring',
      'product',
      'product_data',
      'billing_scheme',
    ],
    handle: ({ account, form }) => createPrice(account, form),
  },
  createRetrieveRoute('price', '/v1/prices'),
  {
    method: 'GET',
    path: '/v1/prices',
    params: [...LIST_PARAMS, 'active', 'currency', 'product', 'type', 'lookup_keys'],
    handle: ({ account, form }) => {
      const keys = parseStringList(form, 'lookup_keys');
      const found = filterByFields(account.list('price'), form, ['active', 'currency', 'product', 'type']);
      const wanted =
        keys.length === 0 ? found : found.filter((price) => keys.includes(price.lookup_key ?? ''));
      return createListPage(wanted, form, '/v1/prices');
    },
  },
  {
    method: 'POST',
    path: '/v1/prices/:id',
    params: PRICE_PARAMS,
    handle: ({ account, id, form }) => updatePrice(account, id, form),
  },
  {
    method: 'POST',
    path: '/v1/checkout/sessions',
    params: CHECKOUT_PARAMS,
    handle: ({ account, form }) => createCheckout(account, form),
  },
  createRetrieveRoute('checkout.session', '/v1/checkout/sessions'),
  createListRoute('checkout.session', '/v1/checkout/sessions', ['customer', 'status', 'subscription']),
  {
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    params: [],
    handle: ({ account, id }) => expireCheckout(account, account.require('checkout.session', id)),
  },
];
