import type Stripe from 'stripe';
import { PaymentError, type PaymentProvider, type ProviderChangePreview } from '../payments.port.ts';
import { createStripeObjectIdempotently } from './create-with-idempotency-key.ts';
import type { StripeCall } from './stripe-client.ts';
import { fromStripeAmount, fromUnixSeconds, getStripeObjectId, toUnixSeconds } from './stripe-values.ts';
import { requireProviderSubscription } from './subscriptions.ts';

/** Create the methods; unused time is credited and the new price is charged pro rata, immediately. */
export function createStripeSubscriptionChangeMethods(
  callStripe: StripeCall,
): Pick<PaymentProvider, 'previewChange' | 'changeSubscription'> {
  return {
    previewChange: (id, priceId, at) =>
      callStripe(async (stripe) => {
        const [subscription, price] = await Promise.all([
          stripe.subscriptions.retrieve(id),
          stripe.prices.retrieve(priceId),
        ]);
        const invoice = await stripe.invoices.createPreview({
          subscription: id,
          subscription_details: {
            items: [{ id: requireItemId(subscription), price: priceId }],
            proration_behavior: 'always_invoice',
            proration_date: toUnixSeconds(at),
          },
        });
        return toChangePreview(invoice, price, subscription);
      }),

    changeSubscription: (id, priceId, at, key) =>
      callStripe(async (stripe) => {
        const subscription = await stripe.subscriptions.retrieve(id);
        const changed = await createStripeObjectIdempotently(
          key,
          (idempotencyKey) => {
            const change: Stripe.SubscriptionUpdateParams = {
              items: [{ id: requireItemId(subscription), price: priceId }],
              proration_behavior: 'always_invoice',
              proration_date: toUnixSeconds(at),
              // Nothing changes until the payment.
              payment_behavior: 'pending_if_incomplete',
            };
            return stripe.subscriptions.update(id, change, { idempotencyKey });
          },
          async () => {
            const now = await stripe.subscriptions.retrieve(id);
            return now.items.data[0]?.price.id === priceId ? now : null;
          },
        );
        return requireProviderSubscription(changed);
      }),
  };
}

function requireItemId(subscription: Stripe.Subscription): string {
  const item = subscription.items.data[0];
  if (!item) throw new PaymentError('REFUSED', 'NOT_SOLD_HERE');
  return item.id;
}

function toChangePreview(
  invoice: Stripe.Invoice,
  price: Stripe.Price,
  subscription: Stripe.Subscription,
): ProviderChangePreview {
  const { currency, total, amount_due } = invoice;
  if (price.unit_amount === null) throw new PaymentError('REFUSED', 'NOT_SOLD_HERE');
  const ends = invoice.lines.data
    .filter((line) => getLinePriceId(line) === price.id)
    .map((line) => line.period.end);
  const current = subscription.items.data[0]?.current_period_end;
  return {
    currency: currency.toUpperCase(),
    // A customer balance may pay a part.
    dueNow: fromStripeAmount(total < 0 ? total : amount_due, currency),
    perPeriod: fromStripeAmount(price.unit_amount, currency),
    currentPeriodEnd: fromUnixSeconds(ends.length > 0 ? Math.max(...ends) : current),
  };
}

function getLinePriceId(line: Stripe.InvoiceLineItem): string | null {
  return getStripeObjectId(line.pricing?.price_details?.price);
}
