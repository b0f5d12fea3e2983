import type { CurrentUser } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import type { Offer, PaymentProvider } from '../../providers/payments/payments.port.ts';
import { languageOf } from '../../shared/languages/choose-language.ts';
import { findCustomerId, findPriceId, keepCustomerId, keepPriceId } from './payment-names.repository.ts';

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
  const customerId = await payments.createCustomer(person, `customer:${user.id}`);
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
