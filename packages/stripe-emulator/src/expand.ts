import type { Account } from './account.ts';
import { getCheckoutPurchase } from './checkout.ts';
import { toCustomerResponse } from './customers.ts';
import { toInvoiceWithPayments } from './invoices.ts';
import type { Charge, CheckoutSession, Customer, Invoice, StripeObject } from './sales-objects.ts';
import { createInvalidRequestError } from './stripe-error.ts';
import { toPublicObject } from './stripe-object.ts';

const MAX_EXPAND_DEPTH = 4;

export function toApiResponse(account: Account, result: unknown, expand: readonly string[]): unknown {
  const answer = deepCopy(result);
  for (const path of expand) {
    const parts = path.split('.');
    if (parts.length > MAX_EXPAND_DEPTH)
      throw createInvalidRequestError(
        `You cannot expand more than ${MAX_EXPAND_DEPTH} levels of a property.`,
        'expand',
      );
    expandPath(account, answer, parts, path);
  }
  return answer;
}

function deepCopy(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(deepCopy);
  if (typeof result !== 'object' || result === null) return result;
  if ('data' in result && Array.isArray(result.data) && 'has_more' in result && !('id' in result))
    return { ...result, data: result.data.map(deepCopy) };
  return 'object' in result ? toPublicObject(result as StripeObject) : structuredClone(result);
}

function expandPath(account: Account, target: unknown, parts: readonly string[], path: string): void {
  const [name, ...rest] = parts;
  if (name === undefined || target === null || typeof target !== 'object') return;
  if (Array.isArray(target)) {
    for (const one of target) expandPath(account, one, parts, path);
    return;
  }
  const object = target as Record<string, unknown>;
  if (!(name in object)) {
    const included = findIncludableValue(account, object, name);
    if (included === undefined)
      throw createInvalidRequestError(`This property cannot be expanded (${path.slice(0, 100)}).`, 'expand');
    object[name] = included;
  }
  const value = object[name];
  if (typeof value === 'string') {
    const found = account.findById(value);
    if (!found) return;
    object[name] =
      found.object === 'customer' ? deepCopy(toCustomerResponse(found as Customer)) : toPublicObject(found);
  }
  expandPath(account, object[name], rest, path);
}

/** Find a field that is returned only on request. */
function findIncludableValue(account: Account, object: Record<string, unknown>, name: string): unknown {
  if (object.object === 'invoice' && name === 'payments')
    return toInvoiceWithPayments(account, object as Invoice);
  if (object.object === 'charge' && name === 'refunds') {
    const { id } = object as Charge;
    const data = account.list('refund').filter(({ charge }) => charge === id);
    return {
      object: 'list',
      data: data.map(toPublicObject),
      has_more: false,
      url: `/v1/charges/${id}/refunds`,
    };
  }
  if (object.object === 'customer' && name === 'subscriptions') {
    const live = account
      .list('subscription')
      .filter((one) => one.customer === object.id && one.ended_at === null);
    return {
      object: 'list',
      data: live.map(toPublicObject),
      has_more: false,
      url: `/v1/subscriptions?customer=${object.id}`,
    };
  }
  if (object.object === 'checkout.session' && name === 'line_items') {
    const { id } = object as CheckoutSession;
    const data = getCheckoutPurchase(account, account.require('checkout.session', id)).map(
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
