import { sayAmount } from '../../shared/languages/money.ts';

/** An amount in minor units as people write it, from a currency as Stripe writes that: in small letters. */
export function amountText(amount: number, currency: string, language = 'en'): string {
  return sayAmount({ tag: language }, amount, currency.toUpperCase());
}

/** A moment as people write it. */
export function dateText(seconds: number, language = 'en'): string {
  const style = { dateStyle: 'medium', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(language, style).format(seconds * 1000);
}
