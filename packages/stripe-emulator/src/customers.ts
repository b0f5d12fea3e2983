import type { Account } from './account.ts';
import { getOrCreateCard, setDefaultCard } from './cards.ts';
import { endSubscription } from './end-subscription.ts';
import type { FormObject } from './form.ts';
import { generateStripeId } from './ids.ts';
import { parseMetadata, parseNumber, parseObject, parseString, parseStringList } from './params.ts';
import type { Customer } from './sales-objects.ts';
import { createNotFoundError } from './stripe-error.ts';

export function createCustomer(account: Account, form: FormObject): Customer {
  const id = generateStripeId('cus', 14);
  const customer: Customer = {
    id,
    object: 'customer',
    address: null,
    balance: parseNumber(form, 'balance') ?? 0,
    created: account.getNow(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: parseString(form, 'description') ?? null,
    email: parseString(form, 'email') ?? null,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: parseMetadata(form),
    name: parseString(form, 'name') ?? null,
    next_invoice_sequence: 1,
    phone: parseString(form, 'phone') ?? null,
    preferred_locales: parseStringList(form, 'preferred_locales'),
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  account.add('customer', customer, 'customer.created');
  setCardFromForm(account, customer, form);
  return customer;
}

export function requireCustomer(account: Account, id: string, param = 'customer'): Customer {
  const customer = account.require('customer', id, param);
  if (customer.deleted) throw createNotFoundError('customer', id, param);
  return customer;
}

export function updateCustomer(account: Account, id: string, form: FormObject): Customer {
  const customer = requireCustomer(account, id, 'id');
  const patch: Partial<Customer> = { metadata: parseMetadata(form, customer.metadata) };
  for (const name of ['email', 'name', 'phone', 'description'])
    if (name in form) patch[name] = parseString(form, name) ?? null;
  if ('preferred_locales' in form) patch.preferred_locales = parseStringList(form, 'preferred_locales');
  account.update(customer, patch, 'customer.updated');
  setCardFromForm(account, customer, form);
  return customer;
}

/** Delete a customer: subscriptions end immediately, and only the id is kept. */
export function deleteCustomer(account: Account, id: string): object {
  const customer = requireCustomer(account, id, 'id');
  for (const subscription of account.list('subscription'))
    if (subscription.customer === id && subscription.ended_at === null)
      endSubscription(account, subscription, 'cancellation_requested');
  account.emit('customer.deleted', customer);
  const gone = {
    email: null,
    name: null,
    phone: null,
    description: null,
    metadata: {},
    preferred_locales: [],
  };
  account.update(customer, { ...gone, deleted: true });
  return { id, object: 'customer', deleted: true };
}

export function toCustomerResponse(customer: Customer): object {
  return customer.deleted ? { id: customer.id, object: 'customer', deleted: true } : customer;
}

export function attachCard(account: Account, id: string, customerId: string) {
  const customer = requireCustomer(account, customerId);
  const card = getOrCreateCard(account, id, customer, 'id');
  if (card.customer === null) account.update(card, { customer: customer.id });
  return card;
}

function setCardFromForm(account: Account, customer: Customer, form: FormObject): void {
  const id =
    parseString(parseObject(form, 'invoice_settings'), 'default_payment_method') ??
    parseString(form, 'payment_method');
  if (id) setDefaultCard(account, customer, getOrCreateCard(account, id, customer, 'payment_method'));
}
