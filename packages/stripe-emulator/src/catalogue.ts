import type { Account } from './account.ts';
import type { Form } from './form.ts';
import { newId } from './ids.ts';
import type { IntervalName, Price, Product } from './objects.ts';
import { flagOf, metadataOf, needText, numberOf, objectOf, textOf, wordOf } from './params.ts';
import { invalid, missing } from './stripe-error.ts';

const INTERVALS: readonly IntervalName[] = ['day', 'week', 'month', 'year'];

/** Makes a product. */
export function createProduct(account: Account, form: Form, id = textOf(form, 'id')): Product {
  if (id && account.find('product', id))
    throw invalid(`Product already exists: ${id}`, 'id', 'resource_already_exists');
  const now = account.now();
  const product: Product = {
    id: id ?? newId('prod', 14),
    object: 'product',
    active: flagOf(form, 'active') ?? true,
    created: now,
    default_price: null,
    description: textOf(form, 'description') ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: metadataOf(form),
    name: needText(form, 'name'),
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: textOf(form, 'tax_code') ?? null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: null,
  };
  return account.add('product', product, 'product.created');
}

/** Changes a product. */
export function updateProduct(account: Account, id: string, form: Form): Product {
  const product = account.need('product', id);
  const patch = {
    name: textOf(form, 'name') ?? product.name,
    active: flagOf(form, 'active') ?? product.active,
    description: 'description' in form ? (textOf(form, 'description') ?? null) : product.description,
    metadata: metadataOf(form, product.metadata),
    updated: account.now(),
  };
  return account.change(product, patch, 'product.updated');
}

/** Makes a price; only what is paid again and again is sold here. */
export function createPrice(account: Account, form: Form): Price {
  const recurring = objectOf(form, 'recurring');
  const interval = wordOf(recurring, 'interval', INTERVALS);
  if (!interval) throw missing('recurring[interval]');
  const amount = numberOf(form, 'unit_amount');
  if (amount === undefined) throw missing('unit_amount');
  if (amount < 0) throw invalid('Invalid non-negative integer', 'unit_amount');
  const currency = needText(form, 'currency').toLowerCase();
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency.slice(0, 10)}.`, 'currency');
  const lookupKey = takeLookupKey(account, form);
  const id = newId('price');
  const price: Price = {
    id,
    object: 'price',
    active: flagOf(form, 'active') ?? true,
    billing_scheme: 'per_unit',
    created: account.now(),
    currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: lookupKey,
    metadata: metadataOf(form),
    nickname: textOf(form, 'nickname') ?? null,
    product: productOf(account, form),
    recurring: {
      interval,
      interval_count: numberOf(recurring, 'interval_count') ?? 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: textOf(form, 'tax_behavior') ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  };
  return account.add('price', price, 'price.created');
}

/** Changes what may change of a price: never what it costs. */
export function updatePrice(account: Account, id: string, form: Form): Price {
  const price = account.need('price', id);
  const patch = {
    active: flagOf(form, 'active') ?? price.active,
    nickname: textOf(form, 'nickname') ?? price.nickname,
    metadata: metadataOf(form, price.metadata),
    lookup_key: takeLookupKey(account, form, price) ?? price.lookup_key,
  };
  return account.change(price, patch, 'price.updated');
}

function productOf(account: Account, form: Form): string {
  if ('product_data' in form) {
    const data = objectOf(form, 'product_data');
    return createProduct(account, data).id;
  }
  const id = needText(form, 'product');
  return account.need('product', id, 'product').id;
}

function takeLookupKey(account: Account, form: Form, mine?: Price): string | null {
  const key = textOf(form, 'lookup_key');
  if (!key) return null;
  const owner = account.all('price').find((price) => price.lookup_key === key && price !== mine);
  if (!owner) return key;
  if (!flagOf(form, 'transfer_lookup_key'))
    throw invalid(`A price (\`${owner.id}\`) already uses that lookup key.`, 'lookup_key');
  account.change(owner, { lookup_key: null }, 'price.updated');
  return key;
}
