import type { FieldError } from '../../shared/errors.ts';

/** What packages limit: numbers of records, bytes, and days for which scans are kept. */
export const LIMITS = ['qrCodes', 'memoryTags', 'documents', 'storageBytes', 'scansKeptDays'] as const;

/** What is sold as a package, by a version of it. */
export interface PackageContent {
  /** Language to name. */
  names: Record<string, string>;
  prices: { interval: 'month' | 'year'; currency: string; amount: number }[];
  /** Name of a limit to its number; null is none. */
  limits: Record<string, number | null>;
  /** Words that name what it has beyond. */
  features: string[];
}

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** What is wrong with a package as it is to be, beyond its shape. */
export function packageProblems(code: string, of: PackageContent & { onOffer: boolean }): FieldError[] {
  const found: FieldError[] = [];
  const seen = new Set<string>();
  for (const [place, { interval, currency }] of of.prices.entries()) {
    const key = `${interval} ${currency}`;
    if (!CURRENCIES.has(currency))
      found.push({
        field: `prices[${place}].currency`,
        code: 'NOT_ALLOWED',
        message: 'Must be a currency of ISO 4217.',
      });
    else if (seen.has(key))
      found.push({
        field: `prices[${place}]`,
        code: 'NOT_UNIQUE',
        message: 'One price for an interval and a currency.',
      });
    seen.add(key);
  }
  if (code === 'FREE') {
    if (of.prices.length > 0)
      found.push({ field: 'prices', code: 'TOO_MANY', message: 'What everybody has costs nothing.' });
    if (!of.onOffer)
      found.push({ field: 'onOffer', code: 'NOT_ALLOWED', message: 'Everybody has it who has no other.' });
  } else if (of.onOffer && of.prices.length === 0) {
    found.push({ field: 'prices', code: 'TOO_FEW', message: 'What is on offer has a price.' });
  }
  return found;
}
