import type { FieldError } from '../../../shared/errors.ts';

/** Numbers of records, bytes, and days of scan retention. */
export const PACKAGE_LIMITS = [
  'qrCodes',
  'memoryTags',
  'documents',
  'storageBytes',
  'scansKeptDays',
] as const;

export interface PackageContent {
  /** Names by language. */
  names: Record<string, string>;
  prices: { interval: 'month' | 'year'; currency: string; amount: number }[];
  /** Null is unlimited. */
  limits: Record<string, number | null>;
  /** Names of additional features. */
  features: string[];
}

const SUPPORTED_CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** Find errors of a package that its schema does not cover. */
export function findPackageErrors(code: string, of: PackageContent & { onOffer: boolean }): FieldError[] {
  const errors: FieldError[] = [];
  const priceKeys = new Set<string>();
  for (const [place, { interval, currency }] of of.prices.entries()) {
    const key = `${interval} ${currency}`;
    if (!SUPPORTED_CURRENCIES.has(currency))
      errors.push({
        field: `prices[${place}].currency`,
        code: 'NOT_ALLOWED',
        message: 'Must be a currency of ISO 4217.',
      });
    else if (priceKeys.has(key))
      errors.push({
        field: `prices[${place}]`,
        code: 'NOT_UNIQUE',
        message: 'One price for an interval and a currency.',
      });
    priceKeys.add(key);
  }
  if (code === 'FREE') {
    if (of.prices.length > 0)
      errors.push({ field: 'prices', code: 'TOO_MANY', message: 'What everybody has costs nothing.' });
    if (!of.onOffer)
      errors.push({ field: 'onOffer', code: 'NOT_ALLOWED', message: 'Everybody has it who has no other.' });
  } else if (of.onOffer && of.prices.length === 0) {
    errors.push({ field: 'prices', code: 'TOO_FEW', message: 'What is on offer has a price.' });
  }
  return errors;
}
