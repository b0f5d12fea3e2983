import type { Db } from '../../../platform/database.ts';
import type { BillingInterval } from '../../../shared/billing-interval.ts';

export interface PackageOfferKey {
  packageId: string;
  version: number;
  interval: BillingInterval;
  currency: string;
}

export async function findCustomerId(db: Db, accountId: string, provider: string): Promise<string | null> {
  const where = { accountId, provider, deletedAt: null };
  const row = await db.paymentCustomer.findFirst({ where, select: { customerId: true } });
  return row?.customerId ?? null;
}

/** Find the most recent one. */
export async function findDeletedCustomerId(
  db: Db,
  accountId: string,
  provider: string,
): Promise<string | null> {
  const where = { accountId, provider, deletedAt: { not: null } };
  const orderBy = [{ deletedAt: 'desc' as const }, { customerId: 'desc' as const }];
  const row = await db.paymentCustomer.findFirst({ where, orderBy, select: { customerId: true } });
  return row?.customerId ?? null;
}

export async function markCustomerDeleted(db: Db, provider: string, customerId: string): Promise<void> {
  const where = { provider, customerId, deletedAt: null };
  await db.paymentCustomer.updateMany({ where, data: { deletedAt: new Date() } });
}

/** Keep an existing one. */
export async function insertCustomerId(
  db: Db,
  accountId: string,
  provider: string,
  customerId: string,
): Promise<void> {
  await db.paymentCustomer.createMany({ data: { accountId, provider, customerId }, skipDuplicates: true });
}

export function listUserPaymentCustomers(db: Db, accountId: string) {
  return db.paymentCustomer.findMany({ where: { accountId }, select: { provider: true, customerId: true } });
}

export async function deleteCustomerId(
  db: Db,
  accountId: string,
  provider: string,
  customerId: string,
): Promise<void> {
  await db.paymentCustomer.deleteMany({ where: { accountId, provider, customerId } });
}

/** Find the most recent one. */
export async function findPriceId(db: Db, provider: string, offer: PackageOfferKey): Promise<string | null> {
  const { packageId, version, interval, currency } = offer;
  const row = await db.paymentPrice.findFirst({
    where: { provider, packageId, version, interval, currency },
    orderBy: [{ createdAt: 'desc' }, { priceId: 'desc' }],
    select: { priceId: true },
  });
  return row?.priceId ?? null;
}

export async function insertPriceId(
  db: Db,
  provider: string,
  offer: PackageOfferKey,
  priceId: string,
): Promise<void> {
  const { packageId, version, interval, currency } = offer;
  await db.paymentPrice.createMany({
    data: { provider, priceId, packageId, version, interval, currency },
    skipDuplicates: true,
  });
}
