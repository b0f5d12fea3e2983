import type { Db } from '../../platform/database.ts';
import type { Interval } from './offer.rules.ts';

/** What of an offer makes it one. */
export interface OfferKey {
  packageId: string;
  version: number;
  interval: Interval;
  currency: string;
}

/** By what id a provider knows a person; null where it does not. */
export async function findCustomerId(db: Db, userId: string, provider: string): Promise<string | null> {
  const row = await db.paymentCustomer.findUnique({
    where: { userId_provider: { userId, provider } },
    select: { customerId: true },
  });
  return row?.customerId ?? null;
}

/** Keeps by what id a provider knows a person; one that is kept already stays. */
export async function keepCustomerId(
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

/** Forgets by what id a provider knows a person. */
export async function forgetCustomer(db: Db, userId: string, provider: string): Promise<void> {
  await db.paymentCustomer.deleteMany({ where: { userId, provider } });
}

/** By what id a provider knows the price of an offer; null where it was not made. */
export async function findPriceId(db: Db, provider: string, offer: OfferKey): Promise<string | null> {
  const { packageId, version, interval, currency } = offer;
  const row = await db.paymentPrice.findUnique({
    where: {
      provider_packageId_version_interval_currency: { provider, packageId, version, interval, currency },
    },
    select: { priceId: true },
  });
  return row?.priceId ?? null;
}

/** Keeps by what id a provider knows the price of an offer. */
export async function keepPriceId(db: Db, provider: string, offer: OfferKey, priceId: string): Promise<void> {
  const { packageId, version, interval, currency } = offer;
  await db.paymentPrice.createMany({
    data: { provider, priceId, packageId, version, interval, currency },
    skipDuplicates: true,
  });
}
