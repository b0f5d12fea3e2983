import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql, querySql } from '../../../platform/sql.ts';
import { generateId } from '../../../shared/ids.ts';
import type { InvoiceFields } from './invoice-state.rules.ts';
import type { PurchasedPackageVersion, SubscriptionFields } from './subscription-state.rules.ts';

/** Until the transaction ends the user's payments have no other writer. */
export async function lockUserPayments(tx: Tx, accountId: string): Promise<void> {
  await executeSql(tx)`SELECT pg_advisory_xact_lock(hashtextextended('payments of ' || ${accountId}, 0))`;
}

/** Lock the payments of the customer's user. Null when unknown or erased. */
export async function lockPaymentCustomerUser(
  tx: Tx,
  provider: string,
  customerId: string,
): Promise<string | null> {
  const where = { provider_customerId: { provider, customerId } };
  const customer = await tx.paymentCustomer.findUnique({ where, select: { accountId: true } });
  if (!customer) return null;
  await lockUserPayments(tx, customer.accountId);
  const [row] = await querySql<{ accountId: string }>(tx)`
    SELECT account_id AS "accountId" FROM payment_customers
    WHERE provider = ${provider} AND customer_id = ${customerId} AND NOT is_erased(account_id)`;
  return row?.accountId ?? null;
}

export async function findAccountIdsByCustomerIds(
  db: Db,
  provider: string,
  customerIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.paymentCustomer.findMany({
    where: {
      provider,
      customerId: { in: [...customerIds] },
      account: { status: { not: 'DELETED' } },
    },
    select: { customerId: true, accountId: true },
  });
  return new Map(rows.map(({ customerId, accountId }) => [customerId, accountId]));
}

export interface PaymentSubscriptionRow {
  id: string;
  accountId: string;
  providerId: string;
  version: number;
  facts: SubscriptionFields;
}

export async function findSubscriptionsByProviderIds(
  db: Db,
  provider: string,
  providerIds: readonly string[],
): Promise<Map<string, PaymentSubscriptionRow>> {
  const rows = await db.subscription.findMany({ where: { provider, providerId: { in: [...providerIds] } } });
  return new Map(
    rows.map(({ id, accountId, providerId, version, provider: _name, ...facts }) => [
      providerId,
      { id, accountId, providerId, version, facts },
    ]),
  );
}

export async function countProviderSubscriptions(db: Db, provider: string): Promise<number> {
  return db.subscription.count({ where: { provider } });
}

/** Exclude users who are erased. */
export async function listRunningProviderSubscriptionIds(
  db: Db,
  provider: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.subscription.findMany({
    where: {
      provider,
      providerId: { gt: after },
      state: { not: 'CANCELED' },
      account: { status: { not: 'DELETED' } },
    },
    select: { providerId: true },
    orderBy: { providerId: 'asc' },
    take: limit,
  });
  return rows.map(({ providerId }) => providerId);
}

export async function listRunningSubscriptionIds(
  db: Db,
  provider: string,
  accountId: string,
): Promise<string[]> {
  const rows = await db.subscription.findMany({
    where: { provider, accountId, state: { not: 'CANCELED' } },
    select: { providerId: true },
  });
  return rows.map(({ providerId }) => providerId);
}

export async function listUnnotifiedTrialSubscriptionIds(
  db: Db,
  provider: string,
  { before, after, limit }: { before: Date; after: string; limit: number },
): Promise<string[]> {
  const rows = await querySql<{ id: string }>(db)`
    SELECT provider_id AS id FROM subscriptions AS bought
    WHERE provider = ${provider} AND provider_id > ${after} AND state = 'TRIALING' AND NOT cancel_at_period_end
      AND trial_ends_at > now() AND trial_ends_at <= ${before} AND NOT is_erased(account_id)
      AND NOT EXISTS (
        SELECT FROM notifications AS sent WHERE sent.user_id = bought.account_id
          AND sent.key = 'subscription:' || provider_id || ':trial:' || floor(extract(epoch FROM trial_ends_at))::bigint)
    ORDER BY provider_id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

export async function upsertSubscription(
  tx: Tx,
  row: { id: string | null; accountId: string; provider: string; providerId: string },
  facts: SubscriptionFields,
): Promise<string> {
  const { accountId, provider, providerId } = row;
  if (row.id !== null) {
    await recordSubscriptionChange(tx, { id: row.id, accountId }, facts);
    await tx.subscription.update({
      where: { id: row.id, accountId },
      data: { ...facts, version: { increment: 1 } },
    });
    return row.id;
  }
  const id = generateId();
  await tx.subscription.create({ data: { id, accountId, provider, providerId, ...facts } });
  // Invoices can arrive before their subscription.
  await tx.paymentInvoice.updateMany({
    where: { provider, providerSubscriptionId: providerId, subscriptionId: null, accountId },
    data: { subscriptionId: id },
  });
  return id;
}

/** Keep the package that a subscription has until this change, for reports on revenue. */
async function recordSubscriptionChange(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
  { packageId, packageVersion, interval, currency }: SubscriptionFields,
): Promise<void> {
  await executeSql(tx)`
    INSERT INTO subscription_changes (subscription_id, package_id, package_version, "interval", currency)
    SELECT id, package_id, package_version, "interval", currency FROM subscriptions
    WHERE account_id = ${accountId} AND id = ${id} AND (package_id, package_version, "interval", currency)
      IS DISTINCT FROM (${packageId}, ${packageVersion}::int, ${interval}, ${currency})
    ON CONFLICT DO NOTHING`;
}

export async function findPackageVersionsByPriceIds(
  db: Db,
  provider: string,
  priceIds: readonly string[],
): Promise<Map<string, PurchasedPackageVersion>> {
  const rows = await db.paymentPrice.findMany({
    where: { provider, priceId: { in: [...priceIds] } },
    select: { priceId: true, packageId: true, version: true },
  });
  return new Map(rows.map(({ priceId, packageId, version }) => [priceId, { packageId, version }]));
}

export async function findPackageCode(db: Db, id: string): Promise<string | null> {
  const row = await db.subscriptionPackage.findUnique({ where: { id }, select: { code: true } });
  return row?.code ?? null;
}

interface PaymentInvoiceRow {
  id: string;
  accountId: string;
  providerId: string;
  /** Our id of the subscription. */
  subscriptionId: string | null;
  facts: InvoiceFields;
}

export async function findInvoicesByProviderIds(
  db: Db,
  provider: string,
  providerIds: readonly string[],
): Promise<Map<string, PaymentInvoiceRow>> {
  const rows = await db.paymentInvoice.findMany({
    where: { provider, providerId: { in: [...providerIds] } },
  });
  return new Map(
    rows.map(({ id, accountId, providerId, subscriptionId, provider: _name, ...row }) => {
      const [total, amountPaid, amountRefunded] = [row.total, row.amountPaid, row.amountRefunded].map(Number);
      const facts = {
        ...row,
        total: total ?? 0,
        amountPaid: amountPaid ?? 0,
        amountRefunded: amountRefunded ?? 0,
      };
      return [providerId, { id, accountId, providerId, subscriptionId, facts }];
    }),
  );
}

/**
 * Check for a payment that was lost in a dispute, or refunded in full although it pays for the period that began at
 * `periodStart` or a later one.
 */
export async function hasReversedPayment(
  db: Db,
  provider: string,
  providerSubscriptionId: string,
  periodStart: Date,
): Promise<boolean> {
  const [row] = await querySql<{ isReversed: boolean }>(db)`
    SELECT EXISTS (
      SELECT FROM payment_invoices
      WHERE (subscription_id = (SELECT id FROM subscriptions
                                WHERE provider = ${provider} AND provider_id = ${providerSubscriptionId})
             OR provider = ${provider} AND provider_subscription_id = ${providerSubscriptionId} AND subscription_id IS NULL)
        AND (is_dispute_lost OR amount_refunded > 0 AND amount_refunded >= amount_paid AND period_end > ${periodStart})
    ) AS "isReversed"`;
  return row?.isReversed ?? false;
}

/** The session that a user has open, by the customer; null without one. */
export async function findOpenCheckoutSessionId(
  db: Db,
  provider: string,
  customerId: string,
): Promise<string | null> {
  const where = {
    provider,
    state: 'OPEN',
    account: { paymentCustomers: { some: { provider, customerId } } },
  };
  const row = await db.checkoutSession.findFirst({ where, select: { sessionId: true } });
  return row?.sessionId ?? null;
}

export async function countInvoicesIssuedSince(db: Db, provider: string, since: Date): Promise<number> {
  return db.paymentInvoice.count({ where: { provider, issuedAt: { gte: since } } });
}

export async function upsertInvoice(
  tx: Tx,
  row: {
    id: string | null;
    accountId: string;
    provider: string;
    providerId: string;
    subscriptionId: string | null;
  },
  facts: InvoiceFields,
): Promise<string> {
  const { accountId, provider, providerId, subscriptionId } = row;
  if (row.id !== null) {
    await tx.paymentInvoice.update({ where: { id: row.id, accountId }, data: { ...facts, subscriptionId } });
    return row.id;
  }
  const id = generateId();
  await tx.paymentInvoice.create({ data: { id, accountId, provider, providerId, subscriptionId, ...facts } });
  return id;
}

export async function deleteEndedCheckouts(db: Db, before: Date): Promise<void> {
  await db.checkoutSession.deleteMany({ where: { createdAt: { lt: before }, expiresAt: { lt: before } } });
}

/** A session that seemed expired may still turn out to be paid. */
export async function markCheckoutSessionEnded(
  tx: Tx,
  provider: string,
  {
    id,
    state,
    subscriptionId,
  }: { id: string; state: 'COMPLETED' | 'EXPIRED'; subscriptionId: string | null },
): Promise<void> {
  await executeSql(tx)`
    UPDATE checkout_sessions SET state = ${state}, provider_subscription_id = ${subscriptionId}
    WHERE provider = ${provider} AND session_id = ${id}
      AND (state = 'OPEN' OR state = 'EXPIRED' AND ${state} = 'COMPLETED')`;
}
