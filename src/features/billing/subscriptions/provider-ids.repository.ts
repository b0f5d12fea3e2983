import type { Db } from '../../../platform/database.ts';
import type { PackageInterval } from './package-price.rules.ts';

/** What of an offer makes it one. */
export interface OfferKey {
  packageId: string;
  version: number;
  interval: PackageInterval;
  currency: string;
}

/** By what id a provider knows a person; null where it does not. */
export async function findCustomerId(db: Db, userId: string, provider: string): Promise<string | null> {
  const where = { userId, provider, deletedAt: null };
  const row = await db.paymentCustomer.findFirst({ where, select: { customerId: true } });
  return row?.customerId ?? null;
}

/** By what id a provider knew a person whom it has deleted, the last of them; null where there is none. */
export async function findDeletedCustomerId(
  db: Db,
  userId: string,
  provider: string,
): Promise<string | null> {
  const where = { userId, provider, deletedAt: { not: null } };
  const orderBy = [{ deletedAt: 'desc' as const }, { customerId: 'desc' as const }];
  const row = await db.paymentCustomer.findFirst({ where, orderBy, select: { customerId: true } });
  return row?.customerId ?? null;
}

/** Notes that a provider has deleted a customer: they are another one from now on. */
export async function markCustomerDeleted(db: Db, provider: string, customerId: string): Promise<void> {
  const where = { provider, customerId, deletedAt: null };
  await db.paymentCustomer.updateMany({ where, data: { deletedAt: new Date() } });
}

/** Keeps by what id a provider knows a person; one that is kept already stays. */
export async function insertCustomerId(
  db: Db,
  userId: string,
  provider: string,
  customerId: string,
): Promise<void> {
  await db.paymentCustomer.createMany({ data: { userId, provider, customerId }, skipDuplicates: true });
}

/** Customers that a person is of providers. */
export function listCustomers(db: Db, userId: string) {
  return db.paymentCustomer.findMany({ where: { userId }, select: { provider: true, customerId: true } });
}

/** Forgets a customer that a person is of a provider. */
export async function deleteCustomerId(db: Db, provider: string, customerId: string): Promise<void> {
  await db.paymentCustomer.deleteMany({ where: { provider, customerId } });
}

/** By what id a provider knows the price of an offer, the last one that it was given; null where it was not made. */
export async function findPriceId(db: Db, provider: string, offer: OfferKey): Promise<string | null> {
  const { packageId, version, interval, currency } = offer;
  const row = await db.paymentPrice.findFirst({
    where: { provider, packageId, version, interval, currency },
    orderBy: [{ createdAt: 'desc' }, { priceId: 'desc' }],
    select: { priceId: true },
  });
  return row?.priceId ?? null;
}

/** Keeps by what id a provider knows the price of an offer. */
export async function insertPriceId(
  db: Db,
  provider: string,
  offer: OfferKey,
  priceId: string,
): Promise<void> {
  const { packageId, version, interval, currency } = offer;
  await db.paymentPrice.createMany({
    data: { provider, priceId, packageId, version, interval, currency },
    skipDuplicates: true,
  });
}
