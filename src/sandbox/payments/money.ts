import { formatMoney } from '../../shared/i18n/money.ts';

/** Currencies without minor units of which Stripe counts hundredths all the same. */
const COUNTED_IN_HUNDREDTHS = ['isk', 'ugx'];

/** An amount of Stripe as people write it, from a currency as Stripe writes that: in small letters. */
export function amountText(amount: number, currency: string, language = 'en'): string {
  const minorUnits = COUNTED_IN_HUNDREDTHS.includes(currency) ? Math.round(amount / 100) : amount;
  return formatMoney({ tag: language }, minorUnits, currency.toUpperCase());
}

/** A moment as people write it. */
export function dateText(seconds: number, language = 'en'): string {
  const style = { dateStyle: 'medium', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(language, style).format(seconds * 1000);
}
