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
export function findPackageErrors(
  code: string,
  content: PackageContent & { onOffer: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  const priceKeys = new Set<string>();
  for (const [place, { interval, currency }] of content.prices.entries()) {
    const key = `${interval} ${currency}`;
    if (!SUPPORTED_CURRENCIES.has(currency))
      errors.push({
        field: `prices[${place}].currency`,
        code: 'NOT_ALLOWED',
        message: 'Must be an ISO 4217 currency code.',
      });
    else if (priceKeys.has(key))
      errors.push({
        field: `prices[${place}]`,
        code: 'NOT_UNIQUE',
        message: 'Must have one price per interval and currency.',
      });
    priceKeys.add(key);
  }
  if (code === 'FREE') {
    if (content.prices.length > 0)
      errors.push({ field: 'prices', code: 'TOO_MANY', message: 'The free package cannot have prices.' });
    if (!content.onOffer)
      errors.push({ field: 'onOffer', code: 'NOT_ALLOWED', message: 'The free package cannot be offered.' });
  } else if (content.onOffer && content.prices.length === 0) {
    errors.push({ field: 'prices', code: 'TOO_FEW', message: 'A package on offer needs a price.' });
  }
  return errors;
}
