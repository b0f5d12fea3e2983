export function getStripeObjectId(reference: string | { id: string }): string;
export function getStripeObjectId(reference: string | { id: string } | null | undefined): string | null;
export function getStripeObjectId(reference: string | { id: string } | null | undefined): string | null {
  if (typeof reference === 'string') return reference;
  return reference?.id ?? null;
}

export function fromUnixSeconds(seconds: number): Date;
export function fromUnixSeconds(seconds: number | null | undefined): Date | null;
export function fromUnixSeconds(seconds: number | null | undefined): Date | null {
  return seconds == null ? null : new Date(seconds * 1000);
}

export function toUnixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** Zero-decimal currencies of which Stripe counts hundredths. */
const HUNDREDTHS_CURRENCIES = new Set(['ISK', 'UGX']);

/** Convert a Stripe amount to minor units. */
export function fromStripeAmount(amount: number, currency: string): number {
  return HUNDREDTHS_CURRENCIES.has(currency.toUpperCase()) ? Math.round(amount / 100) : amount;
}

export function toStripeAmount(amount: number, currency: string): number {
  return HUNDREDTHS_CURRENCIES.has(currency.toUpperCase()) ? amount * 100 : amount;
}

/** Languages of the service that Stripe's pages support; others use the browser's. */
const SUPPORTED_LOCALES = new Set(['de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'tr', 'zh']);

export function toStripeLocale(language: string): string {
  return SUPPORTED_LOCALES.has(language) ? language : 'auto';
}

export function isStripeLiveKey(secretKey: string): boolean {
  return /^[sr]k_live_/.test(secretKey);
}
