import { createValidationError, type FieldError } from '../../../shared/errors.ts';

export const PACKAGE_INTERVALS = ['month', 'year'] as const;

export type PackageInterval = (typeof PACKAGE_INTERVALS)[number];

export interface PackagePrice {
  interval: PackageInterval;
  /** ISO 4217. */
  currency: string;
  /** In minor units. */
  amount: number;
}

/**
 * Get the price for an interval, in the requested currency or the only one.
 * @throws VALIDATION_FAILED when there is no price, or a currency is required
 */
export function getPackagePrice(
  prices: readonly PackagePrice[],
  { interval, currency }: { interval: PackageInterval; currency?: string | undefined },
): PackagePrice {
  if (prices.length === 0) throw createValidationError(createPriceError('packageId', 'The package is free.'));
  const ofInterval = prices.filter((price) => price.interval === interval);
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
