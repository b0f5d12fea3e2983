import type { Account } from './account.ts';
import { checkTogether, quantityOf } from './chosen.ts';
import { periodOf } from './due.ts';
import type { Form } from './form.ts';
import { prorationLine } from './invoice-lines.ts';
import { chargesFor } from './life.ts';
import type { InvoiceLine, Price, Subscription, SubscriptionItem } from './objects.ts';
import { flagOf, metadataOf, numberOf, objectsOf, refuseUnknown, textOf, wordOf } from './params.ts';
import { addIntervals } from './periods.ts';
import { momentOf } from './service-time.ts';
import { invalid } from './stripe-error.ts';
import { itemObject, priced } from './subscription-object.ts';

/** What a change of the items of a subscription comes to; nothing is changed by making it. */
export interface ChangePlan {
  items: SubscriptionItem[];
  /** Credits for what is not used any more, and what the rest of the period costs instead. */
  prorations: InvoiceLine[];
  /** The period that begins with the change, where the interval is another. */
  freshPeriod: { start: number; end: number } | null;
  /** What that period costs. */
  freshCharges: InvoiceLine[];
  date: number;
  behavior: 'always_invoice' | 'create_prorations' | 'none';
}

/** Plans the change that `items`, `proration_behavior` and `proration_date` of a form ask for. */
export function planChange(account: Account, subscription: Subscription, form: Form): ChangePlan {
  const period = periodOf(subscription);
  const behavior =
    wordOf(form, 'proration_behavior', ['always_invoice', 'create_prorations', 'none']) ??
    'create_prorations';
  const date = momentOf(account, numberOf(form, 'proration_date') ?? account.now());
  if (date < period.start || date > period.end)
    throw invalid(
      'Cannot specify a proration date outside of the subscription’s current period.',
      'proration_date',
    );
  const before = subscription.items.data;
  const items = itemsAfter(account, subscription, objectsOf(form, 'items'), period);
  const isTrial = subscription.status === 'trialing';
  const [first] = items;
  const [old] = before;
  const isFresh =
    !isTrial && first !== undefined && old !== undefined && !sameInterval(first.price, old.price);
  const freshPeriod = isFresh ? periodFrom(account.now(), first.price) : null;
  const inFresh = freshPeriod
    ? items.map((item) => ({
        ...item,
        current_period_start: freshPeriod.start,
        current_period_end: freshPeriod.end,
      }))
    : items;
  const after = { ...subscription, items: { ...subscription.items, data: inFresh } };
  return {
    ...{ date, behavior, freshPeriod },
    items: inFresh,
    prorations: isTrial || behavior === 'none' ? [] : prorate(account, before, items, period, date, isFresh),
    freshCharges: freshPeriod ? chargesFor(account, after, freshPeriod) : [],
  };
}

function prorate(
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
    lines.push(prorationLine({ item, price, quantity, product, period, from, sign }));
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

function itemsAfter(
  account: Account,
  subscription: Subscription,
  changes: readonly Form[],
  period: { start: number; end: number },
): SubscriptionItem[] {
  let items = [...subscription.items.data];
  changes.forEach((change, index) => {
    const param = `items[${index}]`;
    refuseUnknown(change, ['id', 'price', 'quantity', 'deleted', 'metadata']);
    const price = priceOf(account, change, `${param}[price]`);
    const id = textOf(change, 'id');
    if (!id) {
      if (!price) throw invalid('Missing required param: price.', `${param}[price]`, 'parameter_missing');
      const chosen = {
        price,
        quantity: quantityOf(change, `${param}[quantity]`),
        metadata: metadataOf(change),
      };
      items.push(itemObject(subscription.id, chosen, account.now(), period));
      return;
    }
    const item = items.find((one) => one.id === id);
    if (!item) throw invalid(`No such subscription item: '${id}'`, `${param}[id]`, 'resource_missing');
    if (flagOf(change, 'deleted')) {
      items = items.filter((one) => one !== item);
      return;
    }
    const quantity = 'quantity' in change ? quantityOf(change, `${param}[quantity]`) : item.quantity;
    const changed = { ...item, ...(price ? priced(price) : {}), quantity };
    items = items.map((one) => (one === item ? changed : one));
  });
  if (items.length === 0) throw invalid('A subscription must have at least one active item.', 'items');
  for (const { price } of items)
    if (price.currency !== subscription.currency)
      throw invalid('The price must have the currency of the subscription.', 'items');
  checkTogether(items, 'items');
  return items;
}

function priceOf(account: Account, change: Form, param: string): Price | null {
  const id = textOf(change, 'price');
  if (!id) return null;
  const price = account.need('price', id, param);
  if (!price.active)
    throw invalid('The price specified is inactive. This field only accepts active prices.', param);
  return price;
}

function sameInterval(a: Price, b: Price): boolean {
  return (
    a.recurring.interval === b.recurring.interval && a.recurring.interval_count === b.recurring.interval_count
  );
}

function periodFrom(start: number, { recurring }: Price): { start: number; end: number } {
  return { start, end: addIntervals(start, recurring.interval, recurring.interval_count) };
}
