import type { Account } from './account.ts';
import { getCurrentPeriod } from './due-time.ts';
import { toEmulatorTime } from './emulator-time.ts';
import type { FormObject } from './form.ts';
import { createProrationLine } from './invoice-lines.ts';
import {
  assertKnownParams,
  parseBoolean,
  parseEnum,
  parseMetadata,
  parseNumber,
  parseObjectList,
  parseString,
} from './params.ts';
import { addIntervals } from './periods.ts';
import { assertCompatiblePrices, parseQuantity } from './price-selections.ts';
import type { InvoiceLine, Price, Subscription, SubscriptionItem } from './sales-objects.ts';
import { createInvalidRequestError } from './stripe-error.ts';
import { createPeriodLines } from './subscription-lifecycle.ts';
import { createItemObject, toPriceAndPlan } from './subscription-object.ts';

export interface SubscriptionChangePlan {
  items: SubscriptionItem[];
  /** Credit for the unused time and charge for the rest of the period. */
  prorations: InvoiceLine[];
  /** The period that starts with a change of the interval. */
  isNewPeriod: { start: number; end: number } | null;
  newPeriodLines: InvoiceLine[];
  date: number;
  behavior: 'always_invoice' | 'create_prorations' | 'none';
}

/** Plan a change by `items`, `proration_behavior` and `proration_date`. */
export function planSubscriptionChange(
  account: Account,
  subscription: Subscription,
  form: FormObject,
): SubscriptionChangePlan {
  const period = getCurrentPeriod(subscription);
  const behavior =
    parseEnum(form, 'proration_behavior', ['always_invoice', 'create_prorations', 'none']) ??
    'create_prorations';
  const date = toEmulatorTime(account, parseNumber(form, 'proration_date') ?? account.getNow());
  if (date < period.start || date > period.end)
    throw createInvalidRequestError(
      'Cannot specify a proration date outside of the subscription’s current period.',
      'proration_date',
    );
  const before = subscription.items.data;
  const items = computeItemsAfterChange(account, subscription, parseObjectList(form, 'items'), period);
  const isTrial = subscription.status === 'trialing';
  const [first] = items;
  const [old] = before;
  const isFresh =
    !isTrial && first !== undefined && old !== undefined && !hasSameInterval(first.price, old.price);
  const isNewPeriod = isFresh ? computePeriodFrom(account.getNow(), first.price) : null;
  const inFresh = isNewPeriod
    ? items.map((item) => ({
        ...item,
        current_period_start: isNewPeriod.start,
        current_period_end: isNewPeriod.end,
      }))
    : items;
  const after = { ...subscription, items: { ...subscription.items, data: inFresh } };
  return {
    date,
    behavior,
    isNewPeriod,
    items: inFresh,
    prorations:
      isTrial || behavior === 'none'
        ? []
        : createProrationLines(account, before, items, period, date, isFresh),
    newPeriodLines: isNewPeriod ? createPeriodLines(account, after, isNewPeriod) : [],
  };
}

function createProrationLines(
  account: Account,
  before: readonly SubscriptionItem[],
  after: readonly SubscriptionItem[],
  period: { start: number; end: number },
  from: number,
  isFresh: boolean,
): InvoiceLine[] {
  const lines: InvoiceLine[] = [];
  const add = (item: SubscriptionItem, sign: 1 | -1) => {
    const { price, quantity } = item;
    const product = account.find('product', price.product);
    lines.push(createProrationLine({ item, price, quantity, product, period, from, sign }));
  };
  for (const old of before) {
    const now = after.find(({ id }) => id === old.id);
    if (now && now.price.id === old.price.id && now.quantity === old.quantity) continue;
    add(old, -1);
    if (now && !isFresh) add(now, 1);
  }
  if (!isFresh) for (const item of after) if (!before.some(({ id }) => id === item.id)) add(item, 1);
  return lines;
}

function computeItemsAfterChange(
  account: Account,
  subscription: Subscription,
  changes: readonly FormObject[],
  period: { start: number; end: number },
): SubscriptionItem[] {
  let items = [...subscription.items.data];
  changes.forEach((change, index) => {
    const param = `items[${index}]`;
    assertKnownParams(change, ['id', 'price', 'quantity', 'deleted', 'metadata']);
    const price = findRequestedPrice(account, change, `${param}[price]`);
    const id = parseString(change, 'id');
    if (!id) {
      if (!price)
        throw createInvalidRequestError(
          'Missing required param: price.',
          `${param}[price]`,
          'parameter_missing',
        );
      const chosen = {
        price,
        quantity: parseQuantity(change, `${param}[quantity]`),
        metadata: parseMetadata(change),
      };
      items.push(createItemObject(subscription.id, chosen, account.getNow(), period));
      return;
    }
    const item = items.find((one) => one.id === id);
    if (!item)
      throw createInvalidRequestError(
        `No such subscription item: '${id}'`,
        `${param}[id]`,
        'resource_missing',
      );
    if (parseBoolean(change, 'deleted')) {
      items = items.filter((one) => one !== item);
      return;
    }
    const quantity = 'quantity' in change ? parseQuantity(change, `${param}[quantity]`) : item.quantity;
    const changed = { ...item, ...(price ? toPriceAndPlan(price) : {}), quantity };
    items = items.map((one) => (one === item ? changed : one));
  });
  if (items.length === 0)
    throw createInvalidRequestError('A subscription must have at least one active item.', 'items');
  for (const { price } of items)
    if (price.currency !== subscription.currency)
      throw createInvalidRequestError('The price must have the currency of the subscription.', 'items');
  assertCompatiblePrices(items, 'items');
  return items;
}

function findRequestedPrice(account: Account, change: FormObject, param: string): Price | null {
  const id = parseString(change, 'price');
  if (!id) return null;
  const price = account.require('price', id, param);
  if (!price.active)
    throw createInvalidRequestError(
      'The price specified is inactive. This field only accepts active prices.',
      param,
    );
  return price;
}

function hasSameInterval(a: Price, b: Price): boolean {
  return (
    a.recurring.interval === b.recurring.interval && a.recurring.interval_count === b.recurring.interval_count
  );
}

function computePeriodFrom(start: number, { recurring }: Price): { start: number; end: number } {
  return { start, end: addIntervals(start, recurring.interval, recurring.interval_count) };
}
