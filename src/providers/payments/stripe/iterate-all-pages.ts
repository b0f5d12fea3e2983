import type Stripe from 'stripe';
import type { StripeCall } from './stripe-client.ts';

/** Stripe's maximum. */
const PAGE_SIZE = 100;

interface PageParams {
  limit: number;
  starting_after?: string;
}

/** Iterate over all pages of a list. Each page has the operation timeout; the whole may take long. */
export async function* iterateAllPages<Item extends { id: string }>(
  callStripe: StripeCall,
  list: (stripe: Stripe, page: PageParams) => Promise<Stripe.ApiList<Item>>,
): AsyncGenerator<Item> {
  let last: Item | undefined;
  for (let hasMore = true; hasMore; ) {
    const page = { limit: PAGE_SIZE, ...(last ? { starting_after: last.id } : {}) };
    const { data, has_more } = await callStripe((stripe) => list(stripe, page));
    yield* data;
    last = data.at(-1);
    hasMore = has_more && last !== undefined;
  }
}
