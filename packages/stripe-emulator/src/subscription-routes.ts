import { type ApiCall, type ApiRoute, createRetrieveRoute } from './api-routes.ts';
import { createListPage, filterByFields, LIST_PARAMS } from './lists.ts';
import { parseString } from './params.ts';
import { cancelSubscription, createSubscription, pauseSubscription } from './subscriptions.ts';
import { resumeSubscription, updateSubscription } from './update-subscription.ts';

const WRITABLE_PARAMS = [
  'items',
  'default_payment_method',
  'metadata',
  'description',
  'payment_behavior',
  'off_session',
];
const SIMPLE_PARAMS = [
  'proration_behavior',
  'trial_end',
  'payment_settings',
  'automatic_tax',
  'collection_method',
];

export const SUBSCRIPTION_ROUTES: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v1/subscriptions',
    params: [
      ...WRITABLE_PARAMS,
      ...SIMPLE_PARAMS,
      'customer',
      'trial_period_days',
      'trial_settings',
      'currency',
      'billing_mode',
    ],
    handle: ({ account, form }) => createSubscription(account, form),
  },
  createRetrieveRoute('subscription', '/v1/subscriptions'),
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
      ...WRITABLE_PARAMS,
      ...SIMPLE_PARAMS,
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
    params: ['cancellation_details'],
    handle: ({ account, id, form }) => cancelSubscription(account, id, form),
  },
  {
    method: 'POST',
    path: '/v1/subscriptions/:id/pause',
    params: ['type'],
    handle: ({ account, id }) => pauseSubscription(account, id),
  },
  {
    method: 'POST',
    path: '/v1/subscriptions/:id/resume',
    params: [],
    handle: ({ account, id }) => resumeSubscription(account, id),
  },
];

/** Without a status Stripe lists all but the canceled ones. */
function listSubscriptions({ account, form }: ApiCall): unknown {
  const status = parseString(form, 'status');
  const price = parseString(form, 'price');
  const found = filterByFields(account.list('subscription'), form, ['customer']).filter((one) => {
    if (price && !one.items.data.some((item) => item.price.id === price)) return false;
    if (status === 'all') return true;
    if (status === 'ended') return one.ended_at !== null;
    return status === undefined ? one.status !== 'canceled' : one.status === status;
  });
  return createListPage(found, form, '/v1/subscriptions');
}
