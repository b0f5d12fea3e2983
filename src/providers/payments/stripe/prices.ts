import type Stripe from 'stripe';
import type { PackageOffer, PaymentProvider } from '../payments.port.ts';
import { createStripeObjectIdempotently } from './create-with-idempotency-key.ts';
import type { StripeCall } from './stripe-client.ts';
import { toStripeAmount } from './stripe-values.ts';

/** Create the price methods. Prices and products are created on the first purchase. */
export function createStripePriceMethods(callStripe: StripeCall): Pick<PaymentProvider, 'ensurePrice'> {
  return {
    ensurePrice: (offer) =>
      callStripe(async (stripe) => {
        const existingId = await findPrice(stripe, offer);
        if (existingId) return existingId;
        const product = await ensureProduct(stripe, offer);
        const amount = toStripeAmount(offer.amount, offer.currency);
        const details: Stripe.PriceCreateParams = {
          product,
          currency: offer.currency.toLowerCase(),
          unit_amount: amount,
          recurring: { interval: offer.interval },
          lookup_key: createLookupKey(offer),
          // A price that has the key has another amount or is retired.
          transfer_lookup_key: true,
          metadata: { packageId: offer.packageId, version: offer.version },
        };
        const createPrice = (key: string) =>
          createStripeObjectIdempotently(
            key,
            async (idempotencyKey) => (await stripe.prices.create(details, { idempotencyKey })).id,
            () => findPrice(stripe, offer),
          );
        const key = `${createLookupKey(offer)}:${amount}`;
        const priceId = await createPrice(key);
        // For a day the idempotency key returns a price that may be retired since.
        const { active } = await stripe.prices.retrieve(priceId);
        return active ? priceId : createPrice(`${key}:after:${priceId}`);
      }),
  };
}

function createLookupKey({ packageId, version, interval, currency }: PackageOffer): string {
  return `price:${packageId}:${version}:${interval}:${currency}`;
}

async function findPrice(stripe: Stripe, offer: PackageOffer): Promise<string | null> {
  const { data } = await stripe.prices.list({
    lookup_keys: [createLookupKey(offer)],
    active: true,
    limit: 100,
  });
  const found = data.find(
    ({ unit_amount, currency, recurring }) =>
      unit_amount === toStripeAmount(offer.amount, offer.currency) &&
      currency === offer.currency.toLowerCase() &&
      recurring?.interval === offer.interval &&
      recurring.interval_count === 1,
  );
  return found?.id ?? null;
}

/** A package is one product, named as last sold. */
async function ensureProduct(stripe: Stripe, { packageId, code, name }: PackageOffer): Promise<string> {
  const id = `package_${packageId}`;
  try {
    await stripe.products.create({ id, name, metadata: { packageId, code } });
  } catch (error) {
    if (!(error instanceof Error && Reflect.get(error, 'code') === 'resource_already_exists')) throw error;
    await stripe.products.update(id, { name, active: true });
  }
  return id;
}
