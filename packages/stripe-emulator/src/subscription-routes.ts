import { type ApiRoute, type Call, reading } from './api-routes.ts';
import { resumeSubscription, updateSubscription } from './changes.ts';
import { LIST_PARAMS, listPage, matching } from './lists.ts';
import { textOf } from './params.ts';
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

/** Subscriptions. */
export const SUBSCRIPTION_ROUTES: readonly ApiRoute[] = [
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
