import type { CurrentUser } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import type { Offer, PaymentProvider } from '../../providers/payments/payments.port.ts';
import { languageOf } from '../../shared/languages/choose-language.ts';
import {
  findCustomerId,
  findGoneCustomerId,
  findPriceId,
  keepCustomerId,
  keepPriceId,
  noteGoneCustomer,
} from './payment-names.repository.ts';

interface Services {
  database: Database;
  payments: PaymentProvider;
}

/** By what id the provider knows a person, to whom it is told of them once. Throws PaymentError. */
export async function customerOf({ database, payments }: Services, user: CurrentUser): Promise<string> {
  const { client } = database;
  const known = await findCustomerId(client, user.id, payments.name);
  if (known) return known;
  const person = { userId: user.id, email: user.email, language: languageOf(user.language).tag };
  const gone = await findGoneCustomerId(client, user.id, payments.name);
  // Under the key of one that was deleted the provider would answer that one.
  const key = gone ? `customer:${user.id}:after:${gone}` : `customer:${user.id}`;
  const customerId = await payments.createCustomer(person, key);
  try {
    await keepCustomerId(client, user.id, payments.name, customerId);
  } catch (error) {
    // The account may have been erased meanwhile: then nobody else would have the provider forget it.
    if ((await findCustomerId(client, user.id, payments.name)) === null)
      await payments.deleteCustomer(customerId);
    throw error;
  }
  return (await findCustomerId(client, user.id, payments.name)) ?? customerId;
}

/** By what id the provider knows the price of an offer. Throws PaymentError. */
export async function priceIdOf({ database, payments }: Services, offer: Offer): Promise<string> {
  const known = await findPriceId(database.client, payments.name, offer);
  if (known) return known;
  const priceId = await payments.ensurePrice(offer);
  await keepPriceId(database.client, payments.name, offer, priceId);
  return priceId;
}

/** Whether the provider has deleted a customer, which is noted then. Throws PaymentError. */
export async function isGone({ database, payments }: Services, customerId: string): Promise<boolean> {
  if (await payments.hasCustomer(customerId)) return false;
  await noteGoneCustomer(database.client, payments.name, customerId);
  return true;
}

/**
 * Whether the provider has another price for an offer, as where the one that is known was retired there; it is the one of
 * the offer from then on. Throws PaymentError.
 */
export async function isRepriced(
  { database, payments }: Services,
  offer: Offer,
  priceId: string,
): Promise<boolean> {
  const found = await payments.ensurePrice(offer);
  if (found === priceId) return false;
  await keepPriceId(database.client, payments.name, offer, found);
  return true;
}
