import type { Account } from './account.ts';
import type { FormObject } from './form.ts';
import { assertKnownParams, parseMetadata, parseNumber, parseString } from './params.ts';
import { createInvalidRequestError, createMissingParamError } from './stripe-error.ts';
import type { PriceSelection } from './subscription-object.ts';

/** Parse the prices of an item list; all need the same currency and interval. */
export function parsePriceSelections(
  account: Account,
  items: readonly FormObject[],
  param: string,
): PriceSelection[] {
  if (items.length === 0) throw createMissingParamError(param);
  const chosen = items.map((item, index) => {
    assertKnownParams(item, ['price', 'quantity', 'metadata']);
    const name = `${param}[${index}][price]`;
    const id = parseString(item, 'price');
    if (!id) throw createMissingParamError(name);
    const price = account.require('price', id, name);
    if (!price.active)
      throw createInvalidRequestError(
        'The price specified is inactive. This field only accepts active prices.',
        name,
      );
    return {
      price,
      quantity: parseQuantity(item, `${param}[${index}][quantity]`),
      metadata: parseMetadata(item),
    };
  });
  assertCompatiblePrices(chosen, param);
  return chosen;
}

export function assertCompatiblePrices(chosen: readonly PriceSelection[], param: string): void {
  const [first] = chosen;
  for (const { price } of chosen) {
    const { interval, interval_count, currency } = { ...price.recurring, currency: price.currency };
    if (currency !== first?.price.currency)
      throw createInvalidRequestError('All prices must have the same currency.', param);
    if (
      interval !== first.price.recurring.interval ||
      interval_count !== first.price.recurring.interval_count
    )
      throw createInvalidRequestError(
        'All prices must have the same `recurring.interval` and `recurring.interval_count`.',
        param,
      );
  }
}

export function parseQuantity(item: FormObject, param: string): number {
  const quantity = parseNumber(item, 'quantity') ?? 1;
  if (quantity < 1) throw createInvalidRequestError('This value must be greater than or equal to 1.', param);
  return quantity;
}
