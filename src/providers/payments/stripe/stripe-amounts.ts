/** Currencies without minor units of which Stripe counts hundredths all the same. */
const COUNTED_IN_HUNDREDTHS = new Set(['ISK', 'UGX']);

/** An amount of Stripe in the minor units of its currency. */
export function amountOf(amount: number, currency: string): number {
  return COUNTED_IN_HUNDREDTHS.has(currency.toUpperCase()) ? Math.round(amount / 100) : amount;
}

/** An amount as Stripe takes it. */
export function stripeAmount(amount: number, currency: string): number {
  return COUNTED_IN_HUNDREDTHS.has(currency.toUpperCase()) ? amount * 100 : amount;
}
