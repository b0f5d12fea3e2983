import type { Language } from './language.ts';

/** An amount of money as a language writes it, from the currency's minor units: some have none, some three digits of them. */
export function sayAmount({ tag }: Pick<Language, 'tag'>, minorUnits: number, currency: string): string {
  const format = new Intl.NumberFormat(tag, { style: 'currency', currency });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return format.format(minorUnits / 10 ** digits);
}
