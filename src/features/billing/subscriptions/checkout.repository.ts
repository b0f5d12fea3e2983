import type { Db, Tx } from '../../../platform/database.ts';
import { generateId } from '../../../shared/ids.ts';
import type { PackageInterval } from './package-price.rules.ts';

/** A page to pay on, as the table holds it. */
export type CheckoutRow = Awaited<ReturnType<typeof insertCheckout>>;

/** What is to be paid for on a page. */
export interface CheckoutChoice {
  provider: string;
  packageId: string;
  packageVersion: number;
  interval: PackageInterval;
  currency: string;
}

/** Has everything else about the payments of a person wait until this transaction ends. */
export async function lockPayments(tx: Tx, userId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('payments of ' || ${userId}, 0))`;
}

/** The open page of a person; null where there is none. */
export function findOpenCheckout(tx: Tx, userId: string): Promise<CheckoutRow | null> {
  return tx.checkoutSession.findFirst({ where: { userId, state: 'OPEN' } });
}

/** The last page of a person of which it is not written yet what they have bought on it; null where there is none. */
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

/** Whether a subscription of a provider has its row. */
export async function isSubscriptionStored(tx: Tx, provider: string, providerId: string): Promise<boolean> {
  return (await tx.subscription.count({ where: { provider, providerId } })) > 0;
}

/** A page of a person; null when absent or somebody else's. */
export function findCheckout(db: Db, userId: string, id: string): Promise<CheckoutRow | null> {
  return db.checkoutSession.findFirst({ where: { id, userId } });
}

/** Notes that a page is to be opened, which makes it the one of the person. */
export function insertCheckout(tx: Tx, userId: string, choice: CheckoutChoice, expiresAt: Date) {
  return tx.checkoutSession.create({ data: { id: generateId(), userId, ...choice, expiresAt } });
}

/** Keeps what the provider calls a page, with the payments of its person locked; ENDED where another was chosen meanwhile. */
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

/** Ends a page that is open, and that nobody has paid on. */
export async function expireCheckoutRow(db: Db, id: string): Promise<void> {
  await db.checkoutSession.updateMany({ where: { id, state: 'OPEN' }, data: { state: 'EXPIRED' } });
}

/** Writes that a page was paid on, and the provider's id of the package that was bought; null where it is none of ours. */
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

/** The provider's ids of pages of a person that are open. */
export async function listOpenCheckoutSessions(db: Db, userId: string, provider: string): Promise<string[]> {
  const where = { userId, provider, state: 'OPEN', sessionId: { not: null } };
  const rows = await db.checkoutSession.findMany({ where, select: { sessionId: true } });
  return rows.flatMap(({ sessionId }) => sessionId ?? []);
}

/** Forgets the pages of a person. */
export async function deleteCheckouts(db: Db, userId: string): Promise<void> {
  await db.checkoutSession.deleteMany({ where: { userId } });
}
