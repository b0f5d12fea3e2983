import type { Account } from './account.ts';
import type { FormObject } from './form.ts';
import { generateStripeId } from './ids.ts';
import {
  parseBoolean,
  parseEnum,
  parseMetadata,
  parseNumber,
  parseObject,
  parseString,
  requireString,
} from './params.ts';
import type { IntervalName, Price, Product } from './sales-objects.ts';
import { createInvalidRequestError, createMissingParamError } from './stripe-error.ts';

const INTERVALS: readonly IntervalName[] = ['day', 'week', 'month', 'year'];

export function createProduct(account: Account, form: FormObject, id = parseString(form, 'id')): Product {
  if (id && account.find('product', id))
    throw createInvalidRequestError(`Product already exists: ${id}`, 'id', 'resource_already_exists');
  const now = account.getNow();
  const product: Product = {
    id: id ?? generateStripeId('prod', 14),
    object: 'product',
    active: parseBoolean(form, 'active') ?? true,
    created: now,
    default_price: null,
    description: parseString(form, 'description') ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: parseMetadata(form),
    name: requireString(form, 'name'),
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: parseString(form, 'tax_code') ?? null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: null,
  };
  return account.add('product', product, 'product.created');
}

export function updateProduct(account: Account, id: string, form: FormObject): Product {
  const product = account.require('product', id);
  const patch = {
    name: parseString(form, 'name') ?? product.name,
    active: parseBoolean(form, 'active') ?? product.active,
    description: 'description' in form ? (parseString(form, 'description') ?? null) : product.description,
    metadata: parseMetadata(form, product.metadata),
    updated: account.getNow(),
  };
  return account.update(product, patch, 'product.updated');
}

export function createPrice(account: Account, form: FormObject): Price {
  const recurring = parseObject(form, 'recurring');
  const interval = parseEnum(recurring, 'interval', INTERVALS);
  if (!interval) throw createMissingParamError('recurring[interval]');
  const amount = parseNumber(form, 'unit_amount');
  if (amount === undefined) throw createMissingParamError('unit_amount');
  if (amount < 0) throw createInvalidRequestError('Invalid non-negative integer', 'unit_amount');
  const currency = requireString(form, 'currency').toLowerCase();
  if (!/^[a-z]{3}$/.test(currency))
    throw createInvalidRequestError(`Invalid currency: ${currency.slice(0, 10)}.`, 'currency');
  const lookupKey = transferLookupKey(account, form);
  const id = generateStripeId('price');
  const price: Price = {
    id,
    object: 'price',
    active: parseBoolean(form, 'active') ?? true,
    billing_scheme: 'per_unit',
    created: account.getNow(),
    currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: lookupKey,
    metadata: parseMetadata(form),
    nickname: parseString(form, 'nickname') ?? null,
    product: resolveProductId(account, form),
    recurring: {
      interval,
      interval_count: parseNumber(recurring, 'interval_count') ?? 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: parseString(form, 'tax_behavior') ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  };
  return account.add('price', price, 'price.created');
}

export function updatePrice(account: Account, id: string, form: FormObject): Price {
  const price = account.require('price', id);
  const patch = {
    active: parseBoolean(form, 'active') ?? price.active,
    nickname: parseString(form, 'nickname') ?? price.nickname,
    metadata: parseMetadata(form, price.metadata),
    lookup_key: transferLookupKey(account, form, price) ?? price.lookup_key,
  };
  return account.update(price, patch, 'price.updated');
}

function resolveProductId(account: Account, form: FormObject): string {
  if ('product_data' in form) {
    const data = parseObject(form, 'product_data');
    return createProduct(account, data).id;
  }
  const id = requireString(form, 'product');
  return account.require('product', id, 'product').id;
}

function transferLookupKey(account: Account, form: FormObject, mine?: Price): string | null {
  const key = parseString(form, 'lookup_key');
  if (!key) return null;
  const owner = account.list('price').find((price) => price.lookup_key === key && price !== mine);
  if (!owner) return key;
  if (!parseBoolean(form, 'transfer_lookup_key'))
    throw createInvalidRequestError(`A price (\`${owner.id}\`) already uses that lookup key.`, 'lookup_key');
  account.update(owner, { lookup_key: null }, 'price.updated');
  return key;
}
