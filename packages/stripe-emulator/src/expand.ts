import type { Account } from './account.ts';
import { boughtOn } from './checkout.ts';
import { answerCustomer } from './customers.ts';
import { paymentsOf } from './invoices.ts';
import { shown } from './object.ts';
import type { Charge, CheckoutSession, Customer, Invoice, StripeObject } from './objects.ts';
import { invalid } from './stripe-error.ts';

const DEEPEST = 4;

/** An answer as it is sent: a copy, with what was asked to be expanded in the place of its id. */
export function answerOf(account: Account, result: unknown, expand: readonly string[]): unknown {
  const answer = copyOf(result);
  for (const path of expand) {
    const parts = path.split('.');
    if (parts.length > DEEPEST)
      throw invalid(`You cannot expand more than ${DEEPEST} levels of a property.`, 'expand');
    expandAt(account, answer, parts, path);
  }
  return answer;
}

function copyOf(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(copyOf);
  if (typeof result !== 'object' || result === null) return result;
  if ('data' in result && Array.isArray(result.data) && 'has_more' in result && !('id' in result))
    return { ...result, data: result.data.map(copyOf) };
  return 'object' in result ? shown(result as StripeObject) : structuredClone(result);
}

function expandAt(account: Account, target: unknown, parts: readonly string[], path: string): void {
  const [name, ...rest] = parts;
  if (name === undefined || target === null || typeof target !== 'object') return;
  if (Array.isArray(target)) {
    for (const one of target) expandAt(account, one, parts, path);
    return;
  }
  const object = target as Record<string, unknown>;
  if (!(name in object)) {
    const included = include(account, object, name);
    if (included === undefined)
      throw invalid(`This property cannot be expanded (${path.slice(0, 100)}).`, 'expand');
    object[name] = included;
  }
  const value = object[name];
  if (typeof value === 'string') {
    const found = account.byId(value);
    if (!found) return;
    object[name] = found.object === 'customer' ? copyOf(answerCustomer(found as Customer)) : shown(found);
  }
  expandAt(account, object[name], rest, path);
}

/** What an object has only where it is asked for. */
function include(account: Account, object: Record<string, unknown>, name: string): unknown {
  if (object.object === 'invoice' && name === 'payments') return paymentsOf(account, object as Invoice);
  if (object.object === 'charge' && name === 'refunds') {
    const { id } = object as Charge;
    const data = account.all('refund').filter(({ charge }) => charge === id);
    return { object: 'list', data: data.map(shown), has_more: false, url: `/v1/charges/${id}/refunds` };
  }
  if (object.object === 'customer' && name === 'subscriptions') {
    const live = account
      .all('subscription')
      .filter((one) => one.customer === object.id && one.ended_at === null);
    return {
      object: 'list',
      data: live.map(shown),
      has_more: false,
      url: `/v1/subscriptions?customer=${object.id}`,
    };
  }
  if (object.object === 'checkout.session' && name === 'line_items') {
    const { id } = object as CheckoutSession;
    const data = boughtOn(account, account.need('checkout.session', id)).map(
      ({ price, quantity }, index) => ({
        id: `li_${id.slice(-20)}${index}`,
        object: 'item',
        amount_discount: 0,
        amount_subtotal: price.unit_amount * quantity,
        amount_tax: 0,
        amount_total: price.unit_amount * quantity,
        currency: price.currency,
        description: account.find('product', price.product)?.name ?? null,
        price: structuredClone(price),
        quantity,
      }),
    );
    return { object: 'list', data, has_more: false, url: `/v1/checkout/sessions/${id}/line_items` };
  }
  return undefined;
}
