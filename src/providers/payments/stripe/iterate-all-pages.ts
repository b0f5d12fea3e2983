import type Stripe from 'stripe';
import type { StripeCall } from './stripe-client.ts';

/** As many as Stripe gives at once. */
const PAGE_SIZE = 100;

interface PageParams {
  limit: number;
  starting_after?: string;
}

/** All of a list, each page asked for in bounded time: the whole may take long. */
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
