import type { Account } from './account.ts';
import { requireCustomer } from './customers.ts';
import type { FormObject } from './form.ts';
import { generateStripeId } from './ids.ts';
import {
  parseBoolean,
  parseMetadata,
  parseObject,
  parseString,
  requireString,
  requireUrl,
} from './params.ts';
import type { PortalSession, StripeObject } from './sales-objects.ts';

export function createPortalSession(account: Account, form: FormObject): PortalSession {
  const customer = requireCustomer(account, requireString(form, 'customer'));
  const named = parseString(form, 'configuration');
  const configuration = named
    ? account.require('billing_portal.configuration', named, 'configuration')
    : (account.list('billing_portal.configuration').find(({ is_default }) => is_default) ??
      createPortalConfiguration(account, {}));
  const id = generateStripeId('bps');
  return account.add(
    'billing_portal.session',
    {
      id,
      object: 'billing_portal.session',
      configuration: configuration.id,
      created: account.getNow(),
      customer: customer.id,
      customer_account: null,
      flow: null,
      livemode: false,
      locale: parseString(form, 'locale') ?? null,
      on_behalf_of: null,
      return_url: requireUrl(form, 'return_url') ?? null,
      url: `${account.base}/portal/${id}`,
    },
    'billing_portal.session.created',
  );
}

/** Create a portal configuration; the first is the default. */
export function createPortalConfiguration(account: Account, form: FormObject): StripeObject {
  const now = account.getNow();
  const features = parseObject(form, 'features');
  const isOn = (name: string) => parseBoolean(parseObject(features, name), 'enabled') ?? false;
  const profile = parseObject(form, 'business_profile');
  return account.add('billing_portal.configuration', {
    id: generateStripeId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: {
      headline: parseString(profile, 'headline') ?? null,
      privacy_policy_url: parseString(profile, 'privacy_policy_url') ?? null,
      terms_of_service_url: parseString(profile, 'terms_of_service_url') ?? null,
    },
    created: now,
    default_return_url: parseString(form, 'default_return_url') ?? null,
    features: {
      customer_update: { allowed_updates: [], enabled: isOn('customer_update') },
      invoice_history: { enabled: isOn('invoice_history') },
      payment_method_update: { enabled: isOn('payment_method_update'), payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: isOn('subscription_cancel'),
        mode: parseString(parseObject(features, 'subscription_cancel'), 'mode') ?? 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_pause: { duration: { interval_options: [], type: 'forever' }, enabled: false },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: [],
        enabled: false,
        proration_behavior: 'none',
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: 'end_trial',
      },
    },
    is_default: account.list('billing_portal.configuration').length === 0,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: parseMetadata(form),
    name: parseString(form, 'name') ?? null,
    updated: now,
  });
}
