import type { CurrentUser } from '../../../platform/authentication.ts';
import type { Database } from '../../../platform/database.ts';
import type { PackageOffer, PaymentProvider } from '../../../providers/payments/payments.port.ts';
import { toLocale } from '../../../shared/i18n/choose-locale.ts';
import { isPaymentRejected } from './provider-errors.ts';
import {
  findCustomerId,
  findDeletedCustomerId,
  findPriceId,
  insertCustomerId,
  insertPriceId,
  markCustomerDeleted,
} from './provider-ids.repository.ts';

interface Services {
  database: Database;
  payments: PaymentProvider;
}

/** By what id the provider knows a person, to whom it is told of them once. */
async function getOrCreateCustomerId({ database, payments }: Services, user: CurrentUser): Promise<string> {
  const { client } = database;
  const currentId = await findCustomerId(client, user.id, payments.name);
  if (currentId) return currentId;
  const person = { userId: user.id, email: user.email, language: toLocale(user.language).tag };
  const deletedCustomerId = await findDeletedCustomerId(client, user.id, payments.name);
  // Under the key of one that was deleted the provider would answer that one.
  const key = deletedCustomerId ? `customer:${user.id}:after:${deletedCustomerId}` : `customer:${user.id}`;
  const customerId = await payments.createCustomer(person, key);
  try {
    await insertCustomerId(client, user.id, payments.name, customerId);
  } catch (error) {
    // The account may have been erased meanwhile: then nobody else would have the provider forget it.
    if ((await findCustomerId(client, user.id, payments.name)) === null)
      await payments.deleteCustomer(customerId);
    throw error;
  }
  return (await findCustomerId(client, user.id, payments.name)) ?? customerId;
}

/** By what id the provider knows the price of an offer. */
async function getOrCreatePriceId({ database, payments }: Services, offer: PackageOffer): Promise<string> {
  const currentId = await findPriceId(database.client, payments.name, offer);
  if (currentId) return currentId;
  const priceId = await payments.ensurePrice(offer);
  await insertPriceId(database.client, payments.name, offer, priceId);
  return priceId;
}

/** Whether the provider has deleted a customer, which is noted then. Throws PaymentError. */
export async function checkCustomerDeleted(
  { database, payments }: Services,
  customerId: string,
): Promise<boolean> {
  if (await payments.hasCustomer(customerId)) return false;
  await markCustomerDeleted(database.client, payments.name, customerId);
  return true;
}

/**
 * Does something at the price of an offer, and where the provider does not do that and has another price for it, as when the
 * one that is known was retired there by hand, once more at that one. Throws PaymentError.
 */
export async function withPriceId<Done>(
  services: Services,
  offer: PackageOffer,
  work: (priceId: string) => Promise<Done>,
): Promise<Done> {
  const { database, payments } = services;
  const currentId = await getOrCreatePriceId(services, offer);
  try {
    return await work(currentId);
  } catch (error) {
    if (!isPaymentRejected(error)) throw error;
    const found = await payments.ensurePrice(offer);
    if (found === currentId) throw error;
    await insertPriceId(database.client, payments.name, offer, found);
    return await work(found);
  }
}

/**
 * Does something for a person as a customer, and where the provider has deleted that one by hand, once more as another. Throws
 * PaymentError.
 */
export async function withCustomerId<Done>(
  services: Services,
  user: CurrentUser,
  work: (customerId: string) => Promise<Done>,
): Promise<Done> {
  const currentId = await getOrCreateCustomerId(services, user);
  try {
    return await work(currentId);
  } catch (error) {
    if (!isPaymentRejected(error) || !(await checkCustomerDeleted(services, currentId))) throw error;
    return await work(await getOrCreateCustomerId(services, user));
  }
}
