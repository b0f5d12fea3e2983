import type { Db } from '../../../platform/database.ts';
import type { PackageInterval } from './package.rules.ts';

export interface OfferKey {
  packageId: string;
  version: number;
  interval: PackageInterval;
  currency: string;
}

/** Find the provider's customer id of a user. */
export async function findCustomerId(db: Db, userId: string, provider: string): Promise<string | null> {
  const where = { userId, provider, deletedAt: null };
  const row = await db.paymentCustomer.findFirst({ where, select: { customerId: true } });
  return row?.customerId ?? null;
}

/** Find the id of a user's most recent customer that was deleted at the provider. */
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

/** Mark a customer as deleted at the provider; the user needs a new one. */
export async function markCustomerDeleted(db: Db, provider: string, customerId: string): Promise<void> {
  const where = { provider, customerId, deletedAt: null };
  await db.paymentCustomer.updateMany({ where, data: { deletedAt: new Date() } });
}

/** Insert the provider's customer id of a user; an existing one is kept. */
export async function insertCustomerId(
  db: Db,
  userId: string,
  provider: string,
  customerId: string,
): Promise<void> {
  await db.paymentCustomer.createMany({ data: { userId, provider, customerId }, skipDuplicates: true });
}

/** List the provider customers of a user. */
export function listCustomers(db: Db, userId: string) {
  return db.paymentCustomer.findMany({ where: { userId }, select: { provider: true, customerId: true } });
}

export async function deleteCustomerId(db: Db, provider: string, customerId: string): Promise<void> {
  await db.paymentCustomer.deleteMany({ where: { provider, customerId } });
}

/** Find the provider's id of an offer's most recent price. */
export async function findPriceId(db: Db, provider: string, offer: OfferKey): Promise<string | null> {
  const { packageId, version, interval, currency } = offer;
  const row = await db.paymentPrice.findFirst({
    where: { provider, packageId, version, interval, currency },
    orderBy: [{ createdAt: 'desc' }, { priceId: 'desc' }],
    select: { priceId: true },
  });
  return row?.priceId ?? null;
}

/** Insert the provider's id of an offer's price. */
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
