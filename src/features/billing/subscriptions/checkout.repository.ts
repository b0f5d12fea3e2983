import type { Db, Tx } from '../../../platform/database.ts';
import type { BillingInterval } from '../../../shared/billing-interval.ts';
import { generateId } from '../../../shared/ids.ts';

export type CheckoutRow = Awaited<ReturnType<typeof insertCheckout>>;

type CheckoutKey = Pick<CheckoutRow, 'id' | 'accountId'>;

export interface CheckoutChoice {
  provider: string;
  packageId: string;
  packageVersion: number;
  interval: BillingInterval;
  currency: string;
}

export function findOpenCheckout(tx: Tx, accountId: string): Promise<CheckoutRow | null> {
  return tx.checkoutSession.findFirst({ where: { accountId, state: 'OPEN' } });
}

/** Find the last checkout that was paid and whose subscription is not stored yet. */
export async function findUnsyncedPaidCheckout(
  tx: Tx,
  accountId: string,
  provider: string,
): Promise<CheckoutRow | null> {
  const where = { accountId, provider, state: 'COMPLETED', providerSubscriptionId: { not: null } };
  const paid = await tx.checkoutSession.findMany({ where, orderBy: { id: 'desc' } });
  for (const page of paid)
    if (page.providerSubscriptionId && !(await isSubscriptionStored(tx, page, page.providerSubscriptionId)))
      return page;
  return null;
}

export async function isSubscriptionStored(
  db: Db,
  { accountId, provider }: Pick<CheckoutRow, 'accountId' | 'provider'>,
  providerId: string,
): Promise<boolean> {
  return (await db.subscription.count({ where: { accountId, provider, providerId } })) > 0;
}

/** Null when absent or of another user. */
export function findCheckout(db: Db, accountId: string, id: string): Promise<CheckoutRow | null> {
  return db.checkoutSession.findFirst({ where: { id, accountId } });
}

/** A user has at most one open checkout. */
export function insertCheckout(tx: Tx, accountId: string, choice: CheckoutChoice, expiresAt: Date) {
  return tx.checkoutSession.create({ data: { id: generateId(), accountId, ...choice, expiresAt } });
}

/** Lock the user's payments first; ENDED when another checkout replaced it. */
export async function storeCheckoutSessionId(
  tx: Tx,
  { id, accountId }: CheckoutKey,
  sessionId: string,
): Promise<'KEPT' | 'KNOWN' | 'ENDED'> {
  const { count } = await tx.checkoutSession.updateMany({
    where: { id, accountId, state: 'OPEN', sessionId: null },
    data: { sessionId },
  });
  if (count === 1) return 'KEPT';
  const known = await tx.checkoutSession.count({ where: { id, accountId, state: 'OPEN', sessionId } });
  return known === 1 ? 'KNOWN' : 'ENDED';
}

export async function expireCheckoutRow(db: Db, { id, accountId }: CheckoutKey): Promise<void> {
  await db.checkoutSession.updateMany({
    where: { id, accountId, state: 'OPEN' },
    data: { state: 'EXPIRED' },
  });
}

/** `providerSubscriptionId` is null when it is no package of ours. */
export async function completeCheckoutRow(
  db: Db,
  { id, accountId }: CheckoutKey,
  providerSubscriptionId: string | null,
): Promise<void> {
  await db.checkoutSession.updateMany({
    where: { id, accountId },
    data: { state: 'COMPLETED', providerSubscriptionId },
  });
}

export async function listOpenCheckoutSessionIds(
  db: Db,
  accountId: string,
  provider: string,
): Promise<string[]> {
  const where = { accountId, provider, state: 'OPEN', sessionId: { not: null } };
  const rows = await db.checkoutSession.findMany({ where, select: { sessionId: true } });
  return rows.flatMap(({ sessionId }) => sessionId ?? []);
}

export async function deleteUserCheckouts(db: Db, accountId: string): Promise<void> {
  await db.checkoutSession.deleteMany({ where: { accountId } });
}
