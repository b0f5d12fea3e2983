import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db } from '../../../platform/database.ts';
import { querySql, sql } from '../../../platform/sql.ts';
import type { BillingInterval } from '../../../shared/billing-interval.ts';
import { STATES_WITH_PACKAGE, type SubscriptionState } from '../../../shared/subscription-state.ts';

export interface SubscriptionRow {
  id: string;
  provider: string;
  providerId: string;
  packageId: string;
  packageVersion: number;
  code: string;
  /** At the time of purchase. */
  names: Record<string, string>;
  interval: BillingInterval;
  currency: string;
  /** In minor units; null when the version has no such price. */
  price: number | null;
  state: SubscriptionState;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  trialEndsAt: Date | null;
  endedAt: Date | null;
  startedAt: Date;
  version: number;
}

/** A list of literals, for `state IN (…)`. */
export const STATES_WITH_PACKAGE_SQL = Prisma.raw(
  STATES_WITH_PACKAGE.map((state) => `'${state}'`).join(', '),
);

/** Check whether a user pays or owes: a second subscription would charge twice. */
export async function hasBillableSubscription(db: Db, accountId: string): Promise<boolean> {
  const count = await db.subscription.count({
    where: { accountId, state: { in: [...STATES_WITH_PACKAGE, 'UNPAID', 'PAUSED'] } },
  });
  return count > 0;
}

/** Null when absent or of another user. */
export async function findSubscription(
  db: Db,
  accountId: string,
  id: string,
): Promise<SubscriptionRow | null> {
  const rows = await querySql<SubscriptionRow>(db)`
    SELECT ${SUBSCRIPTION_FIELDS} FROM ${SUBSCRIPTION_JOINS} WHERE held.id = ${id} AND held.account_id = ${accountId}`;
  return rows[0] ?? null;
}

/** The active one of the largest package, else one that can become active, else the last. */
export async function findCurrentSubscription(db: Db, accountId: string): Promise<SubscriptionRow | null> {
  const rows = await querySql<SubscriptionRow>(db)`
    SELECT ${SUBSCRIPTION_FIELDS} FROM ${SUBSCRIPTION_JOINS} WHERE held.account_id = ${accountId}
    ORDER BY CASE WHEN held.state IN (${STATES_WITH_PACKAGE_SQL}) THEN 0
                  WHEN held.state IN ('UNPAID', 'PAUSED') THEN 1 ELSE 2 END,
             CASE WHEN held.state IN (${STATES_WITH_PACKAGE_SQL}) THEN package.rank END DESC,
             held.started_at DESC, held.id DESC
    LIMIT 1`;
  return rows[0] ?? null;
}

/** Call it after the provider deleted the customer. */
export async function markUserSubscriptionsEnded(db: Db, accountId: string, provider: string): Promise<void> {
  const now = new Date();
  await db.subscription.updateMany({
    where: { accountId, provider, state: { not: 'CANCELED' } },
    data: { state: 'CANCELED', endedAt: now, canceledAt: now, version: { increment: 1 } },
  });
}

export function listUserSubscriptions(db: Db, accountId: string): Promise<SubscriptionRow[]> {
  return querySql<SubscriptionRow>(db)`
    SELECT ${SUBSCRIPTION_FIELDS} FROM ${SUBSCRIPTION_JOINS} WHERE held.account_id = ${accountId} ORDER BY held.started_at DESC, held.id DESC`;
}

const SUBSCRIPTION_FIELDS = sql`
  held.id, held.provider, held.provider_id AS "providerId", held.package_id AS "packageId",
  held.package_version AS "packageVersion", package.code, sold.names, held."interval", held.currency,
  (SELECT (price ->> 'amount')::float8 FROM jsonb_array_elements(sold.prices) AS price
   WHERE price ->> 'interval' = held."interval" AND price ->> 'currency' = held.currency LIMIT 1) AS price,
  held.state, held.current_period_end AS "currentPeriodEnd", held.cancel_at_period_end AS "cancelAtPeriodEnd",
  held.trial_ends_at AS "trialEndsAt", held.ended_at AS "endedAt", held.started_at AS "startedAt", held.version`;

const SUBSCRIPTION_JOINS = sql`
  subscriptions AS held JOIN subscription_packages AS package ON package.id = held.package_id
  JOIN subscription_package_versions AS sold
    ON sold.package_id = held.package_id AND sold.version = held.package_version`;
