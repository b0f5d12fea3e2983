import { generateStripeId } from './ids.ts';
import { formatAmount, formatDate } from './money.ts';
import type { InvoiceLine, Price, Product, SubscriptionItem } from './sales-objects.ts';

interface InvoiceLineInput {
  item: SubscriptionItem;
  price: Price;
  quantity: number;
  amount: number;
  description: string;
  period: { start: number; end: number };
  proration: boolean;
}

function toInvoiceLine({
  item,
  price,
  quantity,
  amount,
  description,
  period,
  proration,
}: InvoiceLineInput): InvoiceLine {
  return {
    id: generateStripeId('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description,
    discount_amounts: [],
    discountable: !proration,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration,
        proration_details: { credited_items: null },
        subscription: item.subscription,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { ...period },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: String(price.unit_amount),
    },
    quantity,
    quantity_decimal: String(quantity),
    subscription: item.subscription,
    subtotal: amount,
    taxes: [],
  };
}

export function createChargeLine(
  item: SubscriptionItem,
  product: Product | undefined,
  period: { start: number; end: number },
): InvoiceLine {
  const { price, quantity } = item;
  const amount = price.unit_amount * quantity;
  const each = `${formatAmount(price.unit_amount, price.currency)} / ${price.recurring.interval}`;
  const description = `${quantity} × ${product?.name ?? price.product} (at ${each})`;
  return toInvoiceLine({ item, price, quantity, amount, description, period, proration: false });
}

export function createTrialLine(
  item: SubscriptionItem,
  product: Product | undefined,
  period: { start: number; end: number },
): InvoiceLine {
  const { price, quantity } = item;
  const description = `Trial period for ${product?.name ?? price.product}`;
  return toInvoiceLine({ item, price, quantity, amount: 0, description, period, proration: false });
}

/** Create the line for the rest of a period: a credit for the old price, a charge for the new one. */
export function createProrationLine(options: {
  item: SubscriptionItem;
  price: Price;
  quantity: number;
  product: Product | undefined;
  period: { start: number; end: number };
  from: number;
  sign: 1 | -1;
}): InvoiceLine {
  const { item, price, quantity, product, period, from, sign } = options;
  const share = (period.end - from) / (period.end - period.start);
  // Rounded before the sign, so that equal credit and charge cancel out. `|| 0` prevents -0.
  const amount = sign * Math.round(price.unit_amount * quantity * share) || 0;
  const what = sign < 0 ? 'Unused time on' : 'Remaining time on';
  const description = `${what} ${product?.name ?? price.product} after ${formatDate(from)}`;
  const rest = { start: from, end: period.end };
  return toInvoiceLine({ item, price, quantity, amount, description, period: rest, proration: true });
}
