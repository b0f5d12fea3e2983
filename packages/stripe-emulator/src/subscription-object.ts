import { generateStripeId } from './ids.ts';
import type { Customer, Metadata, Price, Subscription, SubscriptionItem } from './sales-objects.ts';

export interface PriceSelection {
  price: Price;
  quantity: number;
  metadata?: Metadata;
}

/** Create a subscription without adding it to the account. */
export function createSubscriptionObject(options: {
  customer: Customer;
  chosen: readonly PriceSelection[];
  now: number;
  period: { start: number; end: number };
  trialEnd: number | null;
  metadata: Metadata;
  card: string | null;
  whenTrialLacksCard: string;
}): Subscription {
  const { customer, chosen, now, period, trialEnd } = options;
  const id = generateStripeId('sub');
  const items = chosen.map((one) => createItemObject(id, one, now, period));
  return {
    ...EMPTY_SUBSCRIPTION,
    id,
    object: 'subscription',
    billing_cycle_anchor: trialEnd ?? now,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    created: now,
    currency: chosen[0]?.price.currency ?? customer.currency ?? 'usd',
    customer: customer.id,
    default_payment_method: options.card,
    ended_at: null,
    items: {
      object: 'list',
      data: items,
      has_more: false,
      total_count: items.length,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    metadata: options.metadata,
    start_date: now,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    trial_end: trialEnd,
    trial_settings: { end_behavior: { missing_payment_method: options.whenTrialLacksCard } },
    trial_start: trialEnd === null ? null : now,
  };
}

/** Create an item; it keeps the price as chosen. */
export function createItemObject(
  subscription: string,
  { price, quantity, metadata }: PriceSelection,
  now: number,
  period: { start: number; end: number },
): SubscriptionItem {
  return {
    id: generateStripeId('si', 14),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: metadata ?? {},
    ...toPriceAndPlan(price),
    quantity,
    subscription,
    tax_rates: [],
  };
}

/** Add the legacy `plan` to a price. */
export function toPriceAndPlan(price: Price) {
  return {
    price: structuredClone(price),
    plan: {
      id: price.id,
      object: 'plan',
      active: price.active,
      amount: price.unit_amount,
      amount_decimal: String(price.unit_amount),
      billing_scheme: 'per_unit',
      created: price.created,
      currency: price.currency,
      interval: price.recurring.interval,
      interval_count: price.recurring.interval_count,
      livemode: false,
      metadata: { ...price.metadata },
      meter: null,
      nickname: price.nickname,
      product: price.product,
      tiers_mode: null,
      transform_usage: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
  };
}

const EMPTY_SUBSCRIPTION = {
  application: null,
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_mode: { flexible: null, type: 'classic' },
  billing_schedules: [],
  billing_thresholds: null,
  collection_method: 'charge_automatically',
  customer_account: null,
  days_until_due: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: { type: 'self' },
  },
  livemode: false,
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  payment_settings: {
    payment_method_options: null,
    payment_method_types: null,
    save_default_payment_method: 'off',
  },
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
};
