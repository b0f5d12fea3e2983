import type { Account } from './account.ts';
import { needCustomer } from './customers.ts';
import type { Form } from './form.ts';
import { newId } from './ids.ts';
import type { PortalSession, StripeObject } from './objects.ts';
import { flagOf, metadataOf, needText, objectOf, textOf, urlOf } from './params.ts';

/** Opens the page on which a customer sees invoices and changes how they pay. */
export function createPortal(account: Account, form: Form): PortalSession {
  const customer = needCustomer(account, needText(form, 'customer'));
  const named = textOf(form, 'configuration');
  const configuration = named
    ? account.need('billing_portal.configuration', named, 'configuration')
    : (account.all('billing_portal.configuration').find(({ is_default }) => is_default) ??
      createConfiguration(account, {}));
  const id = newId('bps');
  return account.add(
    'billing_portal.session',
    {
      id,
      object: 'billing_portal.session',
      configuration: configuration.id,
      created: account.now(),
      customer: customer.id,
      customer_account: null,
      flow: null,
      livemode: false,
      locale: textOf(form, 'locale') ?? null,
      on_behalf_of: null,
      return_url: urlOf(form, 'return_url') ?? null,
      url: `${account.base}/portal/${id}`,
    },
    'billing_portal.session.created',
  );
}

/** Says what the page offers; the first one made is what is used where none is named. */
export function createConfiguration(account: Account, form: Form): StripeObject {
  const now = account.now();
  const features = objectOf(form, 'features');
  const isOn = (name: string) => flagOf(objectOf(features, name), 'enabled') ?? false;
  const profile = objectOf(form, 'business_profile');
  return account.add('billing_portal.configuration', {
    id: newId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: {
      headline: textOf(profile, 'headline') ?? null,
      privacy_policy_url: textOf(profile, 'privacy_policy_url') ?? null,
      terms_of_service_url: textOf(profile, 'terms_of_service_url') ?? null,
    },
    created: now,
    default_return_url: textOf(form, 'default_return_url') ?? null,
    features: {
      customer_update: { allowed_updates: [], enabled: isOn('customer_update') },
      invoice_history: { enabled: isOn('invoice_history') },
      payment_method_update: { enabled: isOn('payment_method_update'), payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: isOn('subscription_cancel'),
        mode: textOf(objectOf(features, 'subscription_cancel'), 'mode') ?? 'at_period_end',
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
    is_default: account.all('billing_portal.configuration').length === 0,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: metadataOf(form),
    name: textOf(form, 'name') ?? null,
    updated: now,
  });
}
