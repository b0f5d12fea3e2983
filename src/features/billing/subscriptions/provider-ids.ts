import { getActingAccount } from '../../../platform/acting-account.ts';
import type { CurrentUser } from '../../../platform/authentication.ts';
import type { Database } from '../../../platform/database.ts';
import {
  type PackageOffer,
  PaymentError,
  type PaymentProvider,
} from '../../../providers/payments/payments.port.ts';
import { toSupportedLocale } from '../../../shared/i18n/choose-locale.ts';
import { isPaymentProviderRejection } from './provider-errors.ts';
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

type CustomerServices = Services & { log: { warn(details: object, message: string): void } };

async function getOrCreateCustomerId(services: CustomerServices, user: CurrentUser): Promise<string> {
  const { database, payments } = services;
  const { client } = database;
  const { id: accountId } = getActingAccount(user);
  const currentId = await findCustomerId(client, accountId, payments.name);
  if (currentId) return currentId;
  const customer = { userId: accountId, email: user.email, language: toSupportedLocale(user.language).tag };
  const deletedCustomerId = await findDeletedCustomerId(client, accountId, payments.name);
  // Each member of an organization sends another address, which the provider refuses under one key.
  const owner = user.id === accountId ? accountId : `${accountId}:${user.id}`;
  // Under the key of a deleted customer the provider would return that customer.
  const key = deletedCustomerId ? `customer:${owner}:after:${deletedCustomerId}` : `customer:${owner}`;
  const customerId = await payments.createCustomer(customer, key);
  try {
    await insertCustomerId(client, accountId, payments.name, customerId);
  } catch (error) {
    // The account may be erased meanwhile; then only this deletes the customer at the provider.
    if ((await findCustomerId(client, accountId, payments.name)) === null)
      await payments.deleteCustomer(customerId);
    throw error;
  }
  const storedId = (await findCustomerId(client, accountId, payments.name)) ?? customerId;
  // Another member was faster.
  if (storedId !== customerId) await deleteUnusedCustomer(services, customerId);
  return storedId;
}

/** Delete a customer that no purchase needs; one that stays is logged for an operator. */
async function deleteUnusedCustomer({ payments, log }: CustomerServices, customerId: string): Promise<void> {
  try {
    await payments.deleteCustomer(customerId);
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    const { failure, reason } = error;
    log.warn(
      { provider: payments.name, customer: customerId, failure, reason },
      'payments: a customer that is not used could not be deleted: delete it at the provider',
    );
  }
}

async function getOrCreatePriceId({ database, payments }: Services, offer: PackageOffer): Promise<string> {
  const currentId = await findPriceId(database.client, payments.name, offer);
  if (currentId) return currentId;
  const priceId = await payments.ensurePrice(offer);
  await insertPriceId(database.client, payments.name, offer, priceId);
  return priceId;
}

/** Check at the provider, and mark the customer if it was deleted there. @throws PaymentError */
export async function checkAndMarkCustomerDeleted(
  { database, payments }: Services,
  customerId: string,
): Promise<boolean> {
  if (await payments.hasCustomer(customerId)) return false;
  await markCustomerDeleted(database.client, payments.name, customerId);
  return true;
}

/** Run `work` again with a new price when the known one was retired. @throws PaymentError */
export async function runWithPriceId<Done>(
  services: Services,
  offer: PackageOffer,
  work: (priceId: string) => Promise<Done>,
): Promise<Done> {
  const { database, payments } = services;
  const currentId = await getOrCreatePriceId(services, offer);
  try {
    return await work(currentId);
  } catch (error) {
    if (!isPaymentProviderRejection(error)) throw error;
    const found = await payments.ensurePrice(offer);
    if (found === currentId) throw error;
    await insertPriceId(database.client, payments.name, offer, found);
    return await work(found);
  }
}

/** Run `work` again with a new customer when the known one was deleted. @throws PaymentError */
export async function runWithCustomerId<Done>(
  services: CustomerServices,
  user: CurrentUser,
  work: (customerId: string) => Promise<Done>,
): Promise<Done> {
  const currentId = await getOrCreateCustomerId(services, user);
  try {
    return await work(currentId);
  } catch (error) {
    if (!isPaymentProviderRejection(error) || !(await checkAndMarkCustomerDeleted(services, currentId)))
      throw error;
    return await work(await getOrCreateCustomerId(services, user));
  }
}
