import type Stripe from 'stripe';
import { type ChangePreview, PaymentError, type PaymentProvider } from '../payments.port.ts';
import { createOnce } from './create-once.ts';
import type { Ask } from './stripe-client.ts';
import { amountOf, dateOf, idOf, secondsOf } from './stripe-values.ts';
import { soldHere } from './subscriptions.ts';

/**
 * A change to another price: what is not used up of the old one is credited, and what is left of the new one is asked
 * for, at once.
 */
export function createChanges(ask: Ask): Pick<PaymentProvider, 'previewChange' | 'changeSubscription'> {
  return {
    previewChange: (id, priceId, at) =>
      ask(async (stripe) => {
        const [subscription, price] = await Promise.all([
          stripe.subscriptions.retrieve(id),
          stripe.prices.retrieve(priceId),
        ]);
        const invoice = await stripe.invoices.createPreview({
          subscription: id,
          subscription_details: {
            items: [{ id: itemOf(subscription), price: priceId }],
            proration_behavior: 'always_invoice',
            proration_date: secondsOf(at),
          },
        });
        return previewOf(invoice, price, subscription);
      }),

    changeSubscription: (id, priceId, at, key) =>
      ask(async (stripe) => {
        const subscription = await stripe.subscriptions.retrieve(id);
        const changed = await createOnce(
          key,
          (idempotencyKey) => {
            const change: Stripe.SubscriptionUpdateParams = {
              items: [{ id: itemOf(subscription), price: priceId }],
              proration_behavior: 'always_invoice',
              proration_date: secondsOf(at),
              // Until it is paid for nothing is changed.
              payment_behavior: 'pending_if_incomplete',
            };
            return stripe.subscriptions.update(id, change, { idempotencyKey });
          },
          async () => {
            const now = await stripe.subscriptions.retrieve(id);
            return now.items.data[0]?.price.id === priceId ? now : null;
          },
        );
        return soldHere(changed);
      }),
  };
}

function itemOf(subscription: Stripe.Subscription): string {
  const item = subscription.items.data[0];
  if (!item) throw new PaymentError('REFUSED', 'NOT_SOLD_HERE');
  return item.id;
}

function previewOf(
  invoice: Stripe.Invoice,
  price: Stripe.Price,
  subscription: Stripe.Subscription,
): ChangePreview {
  const { currency, total, amount_due } = invoice;
  if (price.unit_amount === null) throw new PaymentError('REFUSED', 'NOT_SOLD_HERE');
  const ends = invoice.lines.data.filter((line) => priceOf(line) === price.id).map((line) => line.period.end);
  const current = subscription.items.data[0]?.current_period_end;
  return {
    currency: currency.toUpperCase(),
    // A balance of the person may pay a part of it.
    dueNow: amountOf(total < 0 ? total : amount_due, currency),
    perPeriod: amountOf(price.unit_amount, currency),
    currentPeriodEnd: dateOf(ends.length > 0 ? Math.max(...ends) : current),
  };
}

function priceOf(line: Stripe.InvoiceLineItem): string | null {
  return idOf(line.pricing?.price_details?.price);
}
