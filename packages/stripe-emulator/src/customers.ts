import type { Account } from './account.ts';
import { takeCard, useCard } from './cards.ts';
import { endSubscription } from './ending.ts';
import type { Form } from './form.ts';
import { newId } from './ids.ts';
import type { Customer } from './objects.ts';
import { metadataOf, numberOf, objectOf, textOf, textsOf } from './params.ts';
import { noSuch } from './stripe-error.ts';

/** Makes a customer. */
export function createCustomer(account: Account, form: Form): Customer {
  const id = newId('cus', 14);
  const customer: Customer = {
    id,
    object: 'customer',
    address: null,
    balance: numberOf(form, 'balance') ?? 0,
    created: account.now(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: textOf(form, 'description') ?? null,
    email: textOf(form, 'email') ?? null,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: metadataOf(form),
    name: textOf(form, 'name') ?? null,
    next_invoice_sequence: 1,
    phone: textOf(form, 'phone') ?? null,
    preferred_locales: textsOf(form, 'preferred_locales'),
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  account.add('customer', customer, 'customer.created');
  setCard(account, customer, form);
  return customer;
}

/** A customer that there is and that was not deleted. */
export function needCustomer(account: Account, id: string, param = 'customer'): Customer {
  const customer = account.need('customer', id, param);
  if (customer.deleted) throw noSuch('customer', id, param);
  return customer;
}

/** Changes a customer. */
export function updateCustomer(account: Account, id: string, form: Form): Customer {
  const customer = needCustomer(account, id, 'id');
  const patch: Partial<Customer> = { metadata: metadataOf(form, customer.metadata) };
  for (const name of ['email', 'name', 'phone', 'description'])
    if (name in form) patch[name] = textOf(form, name) ?? null;
  if ('preferred_locales' in form) patch.preferred_locales = textsOf(form, 'preferred_locales');
  account.change(customer, patch, 'customer.updated');
  setCard(account, customer, form);
  return customer;
}

/** Deletes a customer: what they have ends at once, and of them only the id stays. */
export function deleteCustomer(account: Account, id: string): object {
  const customer = needCustomer(account, id, 'id');
  for (const subscription of account.all('subscription'))
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
  account.change(customer, { ...gone, deleted: true });
  return { id, object: 'customer', deleted: true };
}

/** A customer as the API answers them; of one that was deleted there is only that. */
export function answerCustomer(customer: Customer): object {
  return customer.deleted ? { id: customer.id, object: 'customer', deleted: true } : customer;
}

/** Attaches a card to a customer. */
export function attachCard(account: Account, id: string, customerId: string) {
  const customer = needCustomer(account, customerId);
  const card = takeCard(account, id, customer, 'id');
  if (card.customer === null) account.change(card, { customer: customer.id });
  return card;
}

function setCard(account: Account, customer: Customer, form: Form): void {
  const id =
    textOf(objectOf(form, 'invoice_settings'), 'default_payment_method') ?? textOf(form, 'payment_method');
  if (id) useCard(account, customer, takeCard(account, id, customer, 'payment_method'));
}
