import type { Static } from 'typebox';
import type { Database, Db } from '../../../platform/database.ts';
import { findCurrentSubscription } from './subscription.repository.ts';
import type { SubscriptionStatus } from './subscriptions.schemas.ts';
import type { UserPlan } from './user-plan.repository.ts';

export interface SubscriptionStatusServices {
  database: Database;
  getPlan(db: Db, accountId: string, ...languages: string[]): Promise<UserPlan>;
}

/** Get the package of an account with its limits and usage; the first of the languages that a name has counts. */
export async function getSubscriptionStatus(
  { database, getPlan }: SubscriptionStatusServices,
  accountId: string,
  languages: readonly string[],
): Promise<Static<typeof SubscriptionStatus>> {
  const [plan, row] = await database.readSnapshot(async (tx) => [
    await getPlan(tx, accountId, ...languages),
    await findCurrentSubscription(tx, accountId),
  ]);
  return {
    id: row?.id ?? null,
    package: plan.package,
    status: row?.state ?? ('NONE' as const),
    interval: row?.interval ?? null,
    currency: row?.currency ?? null,
    price: row?.price ?? null,
    currentPeriodEnd: row?.currentPeriodEnd?.toISOString() ?? null,
    cancelAtPeriodEnd: row?.cancelAtPeriodEnd ?? false,
    trialEndsAt: row?.trialEndsAt?.toISOString() ?? null,
    usage: plan.usage,
    limits: plan.limits,
    keepsWorking: true as const,
  };
}
