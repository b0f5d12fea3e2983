import { createValidationError, type FieldError } from '../../../shared/errors.ts';

export const PACKAGE_INTERVALS = ['month', 'year'] as const;

export type PackageInterval = (typeof PACKAGE_INTERVALS)[number];

/** What a package costs. */
export interface PackagePrice {
  interval: PackageInterval;
  /** ISO 4217. */
  currency: string;
  /** In minor units. */
  amount: number;
}

/**
 * The price of a package for an interval, in the currency asked for or in its only one. Throws VALIDATION_FAILED where
 * there is none, and where a currency has to be chosen.
 */
export function getPackagePrice(
  prices: readonly PackagePrice[],
  { interval, currency }: { interval: PackageInterval; currency?: string | undefined },
): PackagePrice {
  if (prices.length === 0)
    throw createValidationError(createPriceError('packageId', 'The package costs nothing.'));
  const ofInterval = prices.filter((price) => price.interval === interval);
  if (ofInterval.length === 0)
    throw createValidationError(createPriceError('interval', 'The package has no such price.'));
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
