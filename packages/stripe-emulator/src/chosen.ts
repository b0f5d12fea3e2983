import type { Account } from './account.ts';
import type { Form } from './form.ts';
import { metadataOf, numberOf, refuseUnknown, textOf } from './params.ts';
import { invalid, missing } from './stripe-error.ts';
import type { Chosen } from './subscription-object.ts';

/** The prices that a list of items names; all of them are paid in the same currency and at the same times. */
export function readChosen(account: Account, items: readonly Form[], param: string): Chosen[] {
  if (items.length === 0) throw missing(param);
  const chosen = items.map((item, index) => {
    refuseUnknown(item, ['price', 'quantity', 'metadata']);
    const name = `${param}[${index}][price]`;
    const id = textOf(item, 'price');
    if (!id) throw missing(name);
    const price = account.need('price', id, name);
    if (!price.active)
      throw invalid('The price specified is inactive. This field only accepts active prices.', name);
    return { price, quantity: quantityOf(item, `${param}[${index}][quantity]`), metadata: metadataOf(item) };
  });
  checkTogether(chosen, param);
  return chosen;
}

/** Refuses prices that cannot be in one subscription. */
export function checkTogether(chosen: readonly Chosen[], param: string): void {
  const [first] = chosen;
  for (const { price } of chosen) {
    const { interval, interval_count, currency } = { ...price.recurring, currency: price.currency };
    if (currency !== first?.price.currency) throw invalid('All prices must have the same currency.', param);
    if (
      interval !== first.price.recurring.interval ||
      interval_count !== first.price.recurring.interval_count
    )
      throw invalid(
        'All prices must have the same `recurring.interval` and `recurring.interval_count`.',
        param,
      );
  }
}

/** How many of a price. */
export function quantityOf(item: Form, param: string): number {
  const quantity = numberOf(item, 'quantity') ?? 1;
  if (quantity < 1) throw invalid('This value must be greater than or equal to 1.', param);
  return quantity;
}
