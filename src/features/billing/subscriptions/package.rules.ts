import type { BillingInterval } from '../../../shared/billing-interval.ts';
import { createValidationError, type FieldError } from '../../../shared/errors.ts';

/** Numbers of records and members, bytes, and days of scan retention. */
export const PACKAGE_LIMIT_NAMES = [
  'qrCodes',
  'memoryTags',
  'documents',
  'members',
  'storageBytes',
  'scansKeptDays',
] as const;

export interface PackageContent {
  names: Record<string, string>;
  prices: { interval: BillingInterval; currency: string; amount: number }[];
  /** Null is unlimited. */
  limits: Record<string, number | null>;
  features: string[];
}

const SUPPORTED_CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

export function findPackageErrors(
  code: string,
  content: Partial<PackageContent & { onOffer: boolean }>,
): FieldError[] {
  const { prices, onOffer } = content;
  const errors = findPriceListErrors(content);
  if (code === 'FREE') {
    if (prices && prices.length > 0)
      errors.push({ field: 'prices', code: 'TOO_MANY', message: 'The free package cannot have prices.' });
    if (onOffer === false)
      errors.push({ field: 'onOffer', code: 'NOT_ALLOWED', message: 'The free package cannot be offered.' });
  } else if (onOffer && prices?.length === 0) {
    errors.push({ field: 'prices', code: 'TOO_FEW', message: 'A package on offer needs a price.' });
  }
  return errors;
}

function findPriceListErrors({ prices = [] }: Partial<PackageContent>): FieldError[] {
  const errors: FieldError[] = [];
  const priceKeys = new Set<string>();
  for (const [place, { interval, currency }] of prices.entries()) {
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
  return errors;
}

export interface PackagePrice {
  interval: BillingInterval;
  /** ISO 4217. */
  currency: string;
  /** In minor units. */
  amount: number;
}

/**
 * Without a currency, use the only one.
 * @throws VALIDATION_FAILED when there is no price, or a currency is required
 */
export function getPackagePrice(
  prices: readonly PackagePrice[],
  { interval, currency }: { interval?: BillingInterval | undefined; currency?: string | undefined },
): PackagePrice {
  if (prices.length === 0) throw createValidationError(createPriceError('packageId', 'The package is free.'));
  const ofInterval = prices.filter((price) => interval === undefined || price.interval === interval);
  if (ofInterval.length === 0)
    throw createValidationError(
      createPriceError('interval', 'The package has no price for this interval and currency.'),
    );
  const matching = ofInterval.filter((price) => currency === undefined || price.currency === currency);
  const [price, another] = matching;
  const currencies = ofInterval.map((one) => one.currency).join(', ');
  if (!price || another)
    throw createValidationError(createPriceError('currency', `Must be one of ${currencies}.`));
  return price;
}

function createPriceError(field: string, message: string): FieldError {
  return { field, code: 'NOT_ALLOWED', message };
}

/** In no table; used when billing is disabled. */
export const SELF_HOSTED_PACKAGE = {
  id: '673f0000a1b2c3d4e5f60000',
  code: 'SELF_HOSTED',
  names: {
    ar: 'استضافة ذاتية',
    de: 'Selbst betrieben',
    en: 'Self-hosted',
    es: 'Autoalojado',
    fr: 'Auto-hébergé',
    he: 'אירוח עצמי',
    hi: 'स्व-होस्टेड',
    it: 'Autogestito',
    ja: 'セルフホスト',
    nl: 'Zelf gehost',
    pl: 'Własny serwer',
    pt: 'Auto-hospedado',
    tr: 'Kendi sunucunuz',
    uk: 'Власний сервер',
    zh: '自托管版',
  },
  limits: Object.fromEntries(PACKAGE_LIMIT_NAMES.map((name) => [name, null])),
};
