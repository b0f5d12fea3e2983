/** The id of what Stripe gives by its id or, expanded, as a whole. */
export function toStripeId(reference: string | { id: string }): string;
export function toStripeId(reference: string | { id: string } | null | undefined): string | null;
export function toStripeId(reference: string | { id: string } | null | undefined): string | null {
  if (typeof reference === 'string') return reference;
  return reference?.id ?? null;
}

/** A moment of Stripe, in seconds. */
export function toDate(seconds: number): Date;
export function toDate(seconds: number | null | undefined): Date | null;
export function toDate(seconds: number | null | undefined): Date | null {
  return seconds == null ? null : new Date(seconds * 1000);
}

/** A moment as Stripe takes it. */
export function toUnixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** Currencies without minor units of which Stripe counts hundredths all the same. */
const HUNDREDTHS_CURRENCIES = new Set(['ISK', 'UGX']);

/** An amount of Stripe in the minor units of its currency. */
export function fromStripeAmount(amount: number, currency: string): number {
  return HUNDREDTHS_CURRENCIES.has(currency.toUpperCase()) ? Math.round(amount / 100) : amount;
}

/** An amount as Stripe takes it. */
export function toStripeAmount(amount: number, currency: string): number {
  return HUNDREDTHS_CURRENCIES.has(currency.toUpperCase()) ? amount * 100 : amount;
}

/** Languages of the service that Stripe's pages have; in any other they take that of the browser. */
const SUPPORTED_LOCALES = new Set(['de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'tr', 'zh']);

/** What Stripe calls a language. */
export function toStripeLocale(language: string): string {
  return SUPPORTED_LOCALES.has(language) ? language : 'auto';
}

/** Whether money moves with a secret key: it is not one of test mode. */
export function isLiveKey(secretKey: string): boolean {
  return /^[sr]k_live_/.test(secretKey);
}
