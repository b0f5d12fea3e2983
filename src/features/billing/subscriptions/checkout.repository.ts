import type { Db, Tx } from '../../../platform/database.ts';
import { generateId } from '../../../shared/ids.ts';
import type { PackageInterval } from './package.rules.ts';

export type CheckoutRow = Awaited<ReturnType<typeof insertCheckout>>;

export interface CheckoutChoice {
  provider: string;
  packageId: string;
  packageVersion: number;
  interval: PackageInterval;
  currency: string;
}

/** Lock the payments of a user until the transaction ends. */
export async function lockPayments(tx: Tx, userId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('payments of ' || ${userId}, 0))`;
}

export function findOpenCheckout(tx: Tx, userId: string): Promise<CheckoutRow | null> {
  return tx.checkoutSession.findFirst({ where: { userId, state: 'OPEN' } });
}

/** Find the last checkout that was paid and whose subscription is not stored yet. */
export async function findUnsyncedPurchase(
  tx: Tx,
  userId: string,
  provider: string,
): Promise<CheckoutRow | null> {
  const where = { userId, provider, state: 'COMPLETED', providerSubscriptionId: { not: null } };
  const paid = await tx.checkoutSession.findMany({ where, orderBy: { id: 'desc' } });
  for (const page of paid)
    if (
      page.providerSubscriptionId &&
      !(await isSubscriptionStored(tx, provider, page.providerSubscriptionId))
    )
      return page;
  return null;
}

export async function isSubscriptionStored(tx: Tx, provider: string, providerId: string): Promise<boolean> {
  return (await tx.subscription.count({ where: { provider, providerId } })) > 0;
}

/** Find a user's checkout; null when absent or of another user. */
export function findCheckout(db: Db, userId: string, id: string): Promise<CheckoutRow | null> {
  return db.checkoutSession.findFirst({ where: { id, userId } });
}

/** Insert an open checkout; a user has at most one. */
export function insertCheckout(tx: Tx, userId: string, choice: CheckoutChoice, expiresAt: Date) {
  return tx.checkoutSession.create({ data: { id: generateId(), userId, ...choice, expiresAt } });
}

/** Store the provider's session with the user's payments locked; ENDED when another checkout replaced it. */
export async function storeCheckoutSession(
  tx: Tx,
  id: string,
  sessionId: string,
): Promise<'KEPT' | 'KNOWN' | 'ENDED'> {
  const { count } = await tx.checkoutSession.updateMany({
    where: { id, state: 'OPEN', sessionId: null },
    data: { sessionId },
  });
  if (count === 1) return 'KEPT';
  const known = await tx.checkoutSession.count({ where: { id, state: 'OPEN', sessionId } });
  return known === 1 ? 'KNOWN' : 'ENDED';
}

/** Expire an open checkout that was not paid. */
export async function expireCheckoutRow(db: Db, id: string): Promise<void> {
  await db.checkoutSession.updateMany({ where: { id, state: 'OPEN' }, data: { state: 'EXPIRED' } });
}

/** Complete a checkout with the provider's id of the subscription; null when it is no package of ours. */
export async function completeCheckoutRow(
  db: Db,
  id: string,
  providerSubscriptionId: string | null,
): Promise<void> {
  await db.checkoutSession.updateMany({
    where: { id },
    data: { state: 'COMPLETED', providerSubscriptionId },
  });
}

/** List the provider's ids of a user's open checkouts. */
export async function listOpenCheckoutSessions(db: Db, userId: string, provider: string): Promise<string[]> {
  const where = { userId, provider, state: 'OPEN', sessionId: { not: null } };
  const rows = await db.checkoutSession.findMany({ where, select: { sessionId: true } });
  return rows.flatMap(({ sessionId }) => sessionId ?? []);
}

export async function deleteCheckouts(db: Db, userId: string): Promise<void> {
  await db.checkoutSession.deleteMany({ where: { userId } });
}
